// Both ends of a link that is cut at every point: nothing is lost, nothing comes twice.
import { expect, it } from "vitest";
import { type Channel, createChannel } from "../../src/places/channel.ts";

/** Two ends, and between them lines that arrive when the test says so. */
function twoEnds() {
  const got = { home: [] as unknown[], place: [] as unknown[] };
  const home = createChannel((message) => got.home.push(message));
  const place = createChannel((message) => got.place.push(message));
  let lines: { to: Channel; line: string }[] = [];
  return {
    home,
    place,
    got,
    connect() {
      home.attach((line) => lines.push({ to: place, line }));
      place.attach((line) => lines.push({ to: home, line }));
    },
    /** What is under way is lost. */
    cut() {
      lines = [];
      home.detach();
      place.detach();
    },
    /** At most so many lines arrive. */
    pass(most = Number.POSITIVE_INFINITY): number {
      let passed = 0;
      for (; passed < most && lines.length > 0; passed++) {
        const { to, line } = lines.shift()!;
        expect(to.take(line.trimEnd())).toBe(undefined);
      }
      return passed;
    },
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

it("createChannel() delivers everything once and in order, wherever the link is cut and however often", () => {
  const total = 40;
  for (let cutAfter = 0; cutAfter < 90; cutAfter++) {
    const { home, place, got, connect, cut, pass } = twoEnds();
    connect();
    for (const n of numbers(total)) {
      home.send({ order: n });
      place.send({ output: n });
    }
    pass(cutAfter);
    cut();
    home.send("while nothing connects them");
    connect();
    pass(cutAfter % 7);
    cut();
    connect();
    pass();
    expect(got).toEqual({
      place: [...numbers(total).map((order) => ({ order })), "while nothing connects them"],
      home: numbers(total).map((output) => ({ output })),
    });
  }
});

it("createChannel() keeps no more than the other side may still need", () => {
  const { home, connect, cut, pass, got } = twoEnds();
  connect();
  for (const n of numbers(100)) home.send(n);
  pass();
  cut();
  const repeated: string[] = [];
  home.attach((line) => repeated.push(line));
  expect(home.take('{"from":97}')).toBe(undefined);
  expect(repeated.slice(1).map((line) => JSON.parse(line).n)).toEqual([97, 98, 99, 100]);
  expect(got.place).toEqual(numbers(100));
});

it.each([
  ["no JSON", "it is no frame", "hello"],
  ["another shape", "it is no frame", '{"n":1,"message":1}'],
  ["a key too many", "it is no frame", '{"ack":0,"grant":"Bash"}'],
  ["a number that is none", "it is no frame", '{"n":-1,"ack":0,"message":1}'],
  ["a gap", "message 5 came after 0", '{"n":5,"ack":0,"message":1}'],
  ["an acknowledgement of what was never sent", "it has message 3, and 1 were sent", '{"ack":3}'],
  ["a wish for what was never sent", "it has message 6, and 1 were sent", '{"from":7}'],
])("a line with %s is refused: %s", (_what, why, line) => {
  const delivered: unknown[] = [];
  const channel = createChannel((message) => delivered.push(message));
  channel.send("one");
  expect(channel.take(line)).toContain(why);
  expect(delivered).toEqual([]);
});
