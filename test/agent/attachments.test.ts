import { expect, it } from "vitest";
import { mentions } from "../../src/agent/attachments.ts";
import { runTurns } from "../../src/agent/loop.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { guardDisk } from "../../src/permissions/guard.ts";
import { fileTools } from "../../src/tools/set.ts";
import { policyFor, realDisk } from "../tools/agent.ts";
import { tree } from "../tools/tree.ts";
import { agentOf, call, modelOf, replied, say, typed } from "./agent-kit.ts";

it("finds what an @ names at the beginning of a word", () => {
  expect(mentions('look at @src/a.ts, @"b.ts" and (@docs/): me@example.com, @a.ts @a.ts.')).toEqual(["src/a.ts", "docs/", "a.ts"]);
});

it("attaches files and folders to what a person types, leaves other names alone, and says what is not allowed", async () => {
  const folder = tree({ "a.ts": "one\ntwo\n", "docs/x.md": "x\n", "docs/y.md": "y\n", "secret.txt": "no\n" });
  const tools = fileTools({ disk: guardDisk(realDisk, await policyFor(folder.path)), shell: shell({ cwd: folder.path, env: {} }) });
  const edit = { path: "a.ts", old_string: "two", new_string: "three" };
  const model = modelOf([replied([call("1", "Edit", edit)]), replied([say("Done.")])]);
  const { agent, queue, events } = agentOf(model, {
    tools,
    permit: async ({ input }) =>
      (input as { path?: string }).path === "secret.txt" ? { allowed: false, reason: "A rule denies it." } : { allowed: true },
  });
  queue.push(typed("change @a.ts as in @docs with @ada and @secret.txt, not @nope.txt"));
  await runTurns(agent, new AbortController().signal);
  const [first] = events.flatMap((event) => (event.type === "input" ? [event.inputs] : []));
  expect(first).toEqual([
    typed("change @a.ts as in @docs with @ada and @secret.txt, not @nope.txt"),
    {
      source: { kind: "file", path: "a.ts", sources: [{ ...folder.source("a.ts"), sha256: expect.any(String), bytes: 8 }] },
      text: "@a.ts, attached by the person:\n1\tone\n2\ttwo",
      shown: "  @a.ts  2 lines",
    },
    { source: { kind: "file", path: "docs" }, text: "@docs, attached by the person:\ndocs/x.md\ndocs/y.md", shown: "  @docs  2 files" },
    {
      source: { kind: "file", path: "secret.txt" },
      text: "The person named @secret.txt, which could not be attached: A rule denies it.",
      shown: "  @secret.txt  not allowed",
    },
  ]);
  expect(events.flatMap((event) => (event.type === "notice" ? [event.text] : []))).toEqual([
    "There is no file @nope.txt: nothing is attached in its place.",
  ]);
  // It has been read by the agent, which may change it.
  expect(folder.text("a.ts")).toBe("one\nthree\n");
  folder.remove();
});
