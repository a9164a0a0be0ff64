// A link that drops before, in the middle of and after every kind of message, freezes, or whose hands are killed: every call is carried out once,
// and what nobody can know is said.
import { expect, it } from "vitest";
import { callHands } from "../../src/places/call-hands.ts";
import { keepLink } from "../../src/places/keep-link.ts";
import { handsAfter, homeAfter } from "../../src/places/link-life.ts";
import type { Place } from "../../src/places/place.ts";
import { startHands } from "../../src/places/start-hands.ts";
import { type Cutter, cutPlace, type Direction } from "./cut-place.ts";

const far: Place = { name: "far", command: ["ssh", "far"], folder: "/far" };

/** Hands that count what they do, and home, over a link of that kind. */
async function session(options: Omit<Parameters<typeof cutPlace>[0], "members"> = {}) {
  const done: string[] = [];
  const answered: unknown[] = [];
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  const place = cutPlace({
    ...options,
    members: (link) => ({
      async do(what, { onOutput }) {
        done.push(String(what));
        for (let n = 0; n < 20; n++) onOutput(`${String(what)}-${n} `);
        return `${String(what)} is done`;
      },
      async fail(what) {
        done.push(String(what));
        throw new Error(`${String(what)} is broken`);
      },
      async ask(question) {
        done.push(String(question));
        const said = await link.ask(question, new AbortController().signal);
        answered.push(said);
        return said;
      },
      async withdraw() {
        const controller = new AbortController();
        const answer = link.ask("never mind", controller.signal);
        controller.abort();
        return (await answer) ?? "withdrawn";
      },
      async tell() {
        link.say({ kind: "notice", text: "a notice" });
        link.say({ kind: "commands", commands: [1] });
      },
      wait: (what, { signal }) =>
        new Promise((resolve) => {
          done.push(String(what));
          signal.addEventListener("abort", () => resolve("stopped"));
        }),
      async hold(what) {
        done.push(String(what));
        await held;
        return "held";
      },
    }),
  });
  const said: unknown[] = [];
  const told: string[] = [];
  const calls = callHands({
    ask: async (question) => (question === "never mind" ? new Promise(() => {}) : `yes to ${String(question)}`),
    notice: (text) => said.push(text),
    commands: (commands) => said.push(commands),
  });
  const started = await startHands(far, place.ports, { words: ["hands", "--link", "n"], limitMs: 30_000, deliver: calls.deliver });
  if (!started.ok) throw new Error(JSON.stringify(started.refusal));
  calls.connect(started.hands.channel);
  const kept = keepLink({
    place: far,
    ports: place.ports,
    hands: started.hands,
    name: "n",
    goodbye: calls.goodbye,
    listeners: {
      onCut() {
        told.push("cut");
        calls.cut(true);
      },
      onBack() {
        told.push("back");
        calls.cut(false);
      },
      onGone(why) {
        told.push("gone");
        calls.lose({ open: `unknown: ${why}`, later: `not done: ${why}` });
      },
    },
  });
  return { place, calls, kept, done, answered, said, told, go: () => go() };
}

/** Something of every kind, twice. */
async function everything({ calls, go }: Awaited<ReturnType<typeof session>>) {
  const results: unknown[] = [];
  const output: string[] = [];
  for (const turn of [1, 2]) {
    const controller = new AbortController();
    const waiting = calls.call("wait", `wait ${turn}`, { signal: controller.signal }).catch((error: Error) => error.message);
    results.push(await calls.call("do", `do ${turn}`, { onOutput: (text) => output.push(text) }));
    results.push(await calls.call("fail", `fail ${turn}`).catch((error: Error) => error.message));
    results.push(await calls.call("ask", `ask ${turn}`));
    results.push(await calls.call("withdraw", null));
    await calls.call("tell", null);
    for (let n = 0; n < 20; n++) await calls.call("do", `${turn}-${n}`);
    controller.abort();
    await waiting;
    const many = Array.from({ length: 20 }, (_, n) => calls.call("hold", `hold ${turn}-${n}`));
    await new Promise((resolve) => setImmediate(resolve));
    go();
    await Promise.all(many);
  }
  return { results, output: output.join("") };
}

const kinds = [
  ...["call", "cancel", "answer", "from", "ack"].map((kind) => ["place", kind] as const),
  ...["result", "failed", "output", "ask", "withdrawn", "notice", "commands", "from", "ack"].map((kind) => ["home", kind] as const),
];
const kindOf = (line: string) => {
  const frame = JSON.parse(line);
  return frame.message?.kind ?? ("from" in frame ? "from" : "ack");
};
const points = { before: () => 0, "in the middle of": (line: string) => line.length >> 1, after: (line: string) => line.length };

it.each(kinds.flatMap(([to, kind]) => Object.keys(points).map((where) => [where as keyof typeof points, kind, to] as const)))(
  "a link that drops %s a message %s to the %s, on each link anew up to five times: all is done once",
  async (where, kind, to: Direction) => {
    let left = 5;
    const cutter: Cutter = (direction, line) => {
      if (left === 0 || direction !== to || kindOf(line) !== kind) return undefined;
      left--;
      return points[where](line);
    };
    const now = await session({ cutter });
    const { results, output } = await everything(now);
    expect(results).toEqual([1, 2].flatMap((turn) => [`do ${turn} is done`, `fail ${turn} is broken`, `yes to ask ${turn}`, "withdrawn"]));
    expect(output).toBe([1, 2].flatMap((turn) => Array.from({ length: 20 }, (_, n) => `do ${turn}-${n} `)).join(""));
    expect(now.done.toSorted()).toEqual(
      [1, 2]
        .flatMap((turn) => [
          ...["wait", "do", "fail", "ask"].map((name) => `${name} ${turn}`),
          ...Array.from({ length: 20 }, (_, n) => [`${turn}-${n}`, `hold ${turn}-${n}`]).flat(),
        ])
        .toSorted(),
    );
    expect([now.answered, now.said]).toEqual([
      ["yes to ask 1", "yes to ask 2"],
      ["a notice", [1], "a notice", [1]],
    ]);
    expect(now.place.cuts()).toBeGreaterThan(0);
    expect(now.told.filter((what) => what === "gone")).toEqual([]);
    await now.kept.leave();
    await now.place.over;
  },
);

it("hands that were killed are said at once: a call that ran has an unknown outcome, and later ones are not carried out", async () => {
  const { place, calls, done, told } = await session();
  await calls.call("do", "one");
  const running = calls.call("hold", "two");
  await new Promise((resolve) => setImmediate(resolve));
  place.kill();
  await expect(running).rejects.toThrow("unknown:");
  await expect(calls.call("do", "three")).rejects.toThrow("not done:");
  expect([done, told]).toEqual([
    ["one", "two"],
    ["cut", "gone"],
  ]);
});

it("a link that freezes is given up and replaced, and what ran goes on", async () => {
  const { place, calls, done, told, go, kept } = await session();
  const running = calls.call("hold", "one");
  await new Promise((resolve) => setImmediate(resolve));
  place.freeze();
  const later = calls.call("do", "two");
  await expect.poll(() => told).toEqual(["cut", "back"]);
  go();
  expect(await Promise.all([running, later])).toEqual(["held", "two is done"]);
  expect(done).toEqual(["one", "two"]);
  await kept.leave();
});

it.each([false, true])("a place that stays away for ten minutes is given up on both sides (input left open: %s)", async (holdsInput) => {
  let isThere = true;
  const { place, calls, told } = await session({
    holdsInput,
    mayReach: () => isThere,
    cutter: (_to, line) => (line.includes("cut here") ? 0 : undefined),
  });
  isThere = false;
  await expect(calls.call("do", "cut here")).rejects.toThrow('unknown: Cannot work at the place "far"');
  expect(told).toEqual(["cut", "gone"]);
  expect(await place.over).toBe(undefined);
});

it("hands that were told goodbye end, with their link cut or not, and are no place to come back to", async () => {
  const { place, kept, told } = await session();
  await kept.leave();
  expect([await place.over, told]).toEqual([undefined, []]);
});

it("the tables of both sides leave no way out of an end, and wait only where somebody can come back", () => {
  for (const event of ["link came", "link ended", "goodbye", "time over", "broken"] as const) {
    expect(handsAfter("over", event, { canWait: true })).toBe("over");
    for (const state of ["linked", "waiting"] as const) expect(handsAfter(state, event, { canWait: false })).not.toBe("waiting");
  }
  for (const event of ["link ended", "linked", "not reached", "no hands", "time over", "goodbye", "broken"] as const)
    expect([homeAfter("gone", event), homeAfter("left", event)]).toEqual(["gone", "left"]);
});
