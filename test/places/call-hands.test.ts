// Calls over a link in memory: results, output, cancelling, questions, and what a place that lies achieves, which is nothing.
import { expect, it } from "vitest";
import { callHands, type Listeners } from "../../src/places/call-hands.ts";
import { createChannel } from "../../src/places/channel.ts";
import { type HandsLink, type Members, serveHands } from "../../src/places/serve-hands.ts";

/** Home and hands, joined line by line. */
function joined(members: (link: HandsLink) => Members, listeners: Listeners = {}) {
  const toHands: Buffer[] = [];
  let wake = () => {};
  let isOver = false;
  const calls = callHands(listeners);
  const channel = createChannel(calls.deliver);
  const lines: string[] = [];
  channel.attach((line) => {
    toHands.push(Buffer.from(line));
    wake();
  });
  calls.connect(channel);
  const ended = serveHands({
    members,
    first: {
      write(line) {
        lines.push(line);
        expect(channel.take(line.trimEnd())).toBe(undefined);
      },
      close() {},
      async next() {
        while (toHands.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve));
        return toHands.shift();
      },
    },
  });
  const end = () => {
    isOver = true;
    wake();
    return ended;
  };
  return { calls, end, lines };
}

it("a call has its output and its result, a fault is a reason, and an unknown member is one", async () => {
  const { calls, end } = joined(() => ({
    async add(args, { onOutput }) {
      onOutput("adding");
      return (args as number[]).reduce((a, b) => a + b);
    },
    async fail() {
      throw new Error("it is broken");
    },
  }));
  const output: string[] = [];
  expect(await calls.call("add", [1, 2], { onOutput: (text) => output.push(text) })).toBe(3);
  expect(output).toEqual(["adding"]);
  await expect(calls.call("fail", null)).rejects.toThrow("it is broken");
  await expect(calls.call("toString", null)).rejects.toThrow('hands have no member "toString"');
  expect(await end()).toBe(undefined);
});

it("a call that is cancelled at home is cancelled there, and one that runs when the input ends too", async () => {
  const cancelled: string[] = [];
  const { calls, end } = joined(() => ({
    wait: (name, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(cancelled.push(String(name))));
      }),
  }));
  const controller = new AbortController();
  const first = calls.call("wait", "first", { signal: controller.signal });
  controller.abort();
  await first;
  void calls.call("wait", "second");
  await new Promise((resolve) => setImmediate(resolve));
  await end();
  expect(cancelled).toEqual(["first", "second"]);
});

it("a question is asked at home and answered from there; one that is withdrawn closes", async () => {
  const asked: unknown[] = [];
  const { calls, end } = joined(
    (link) => ({
      ask: (question) => link.ask(question, new AbortController().signal),
      async withdraw(question) {
        const controller = new AbortController();
        const answer = link.ask(question, controller.signal);
        setImmediate(() => controller.abort());
        return (await answer) === undefined ? "nobody answered" : "answered";
      },
    }),
    {
      async ask(question, signal) {
        asked.push(question);
        if (question === "may I?") return "yes";
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
      },
    },
  );
  expect(await calls.call("ask", "may I?")).toBe("yes");
  expect(await calls.call("withdraw", "or not?")).toBe("nobody answered");
  expect(asked).toEqual(["may I?", "or not?"]);
  await end();
});

it("what a place says unasked changes nothing: answers, results of other calls, other shapes", async () => {
  const sent: unknown[] = [];
  const said: unknown[] = [];
  const calls = callHands({ notice: (text) => said.push(text), ask: async () => "yes" });
  calls.connect({ send: (message) => sent.push(message) });
  const result = calls.call("permit", { tool: "Bash" });
  for (const lie of [
    { kind: "answer", id: "q1", answer: { kind: "session", rules: ["Bash"] } },
    { kind: "result", id: "77", value: { allowed: true } },
    { kind: "result", id: "1", value: { allowed: true }, grant: "Bash" },
    { kind: "settings", permissions: { allow: ["Bash"] } },
    { kind: "notice", text: "x".repeat(3_000) },
    "text",
    null,
  ])
    calls.deliver(lie);
  expect([sent, said]).toEqual([[{ kind: "call", id: "1", member: "permit", args: { tool: "Bash" } }], []]);
  calls.lose({ open: "its outcome is unknown", later: "the hands are gone" });
  await expect(result).rejects.toThrow("its outcome is unknown");
  await expect(calls.call("permit", {})).rejects.toThrow("the hands are gone");
});

it("a call that its person stops while the link is cut ends at once, and one that nobody stops waits", async () => {
  const sent: unknown[] = [];
  const calls = callHands({});
  calls.connect({ send: (message) => sent.push(message) });
  const [before, during] = [new AbortController(), new AbortController()];
  const results = [before, during].map(({ signal }) => calls.call("run", null, { signal }));
  const waiting = calls.call("run", null);
  before.abort();
  calls.cut(true);
  during.abort();
  for (const result of results) await expect(result).rejects.toThrow("Its outcome is not known");
  calls.cut(false);
  calls.deliver({ kind: "result", id: "3", value: "done" });
  expect(await waiting).toBe("done");
  expect(sent.filter((one) => (one as { kind: string }).kind === "cancel").length).toBe(2);
});
