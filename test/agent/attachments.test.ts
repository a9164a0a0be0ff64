import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { dragged, mentions, placeIn } from "../../src/agent/attachments.ts";
import { runTurns } from "../../src/agent/loop.ts";
import { shell } from "../../src/edge/shell/shell.ts";
import { guardDisk } from "../../src/permissions/guard.ts";
import { fileTools } from "../../src/tools/set.ts";
import { policyFor, realDisk } from "../tools/agent.ts";
import { tree } from "../tools/tree.ts";
import { agentOf, call, modelOf, replied, say, typed } from "./agent-kit.ts";

it("finds names after an @ at the beginning of a word", () => {
  const text = 'look at @src/a.ts, @"my file.ts" and (@docs/): me@example.com, @a.ts @a.ts.';
  expect(mentions(text)).toEqual(["my file.ts", "src/a.ts", "docs/", "a.ts"].map((path) => ({ path, sign: "@" })));
});

it("reads lines of a file, or the lines around a compiler's message", () => {
  expect(["a.ts:12-40", "src/a.ts#L3-L4", "a.ts:120", "a.ts:7:5", "a.ts", "C:"].map(placeIn)).toEqual([
    { path: "a.ts", offset: 12, limit: 29 },
    { path: "src/a.ts", offset: 3, limit: 2 },
    { path: "a.ts", offset: 70, limit: 101 },
    { path: "a.ts", offset: 1, limit: 57 },
    undefined,
    undefined,
  ]);
});

it("finds images and PDF files by their whole path, as terminals write what is dragged into them", () => {
  const found = (text: string) => dragged(text).map(({ path }) => path);
  expect(found(String.raw`what is wrong in /home/me/My\ Picture\ \(1\).png, and in '/tmp/a b.JPG' or "~/c.pdf"?`)).toEqual([
    "/tmp/a b.JPG",
    "/home/me/My Picture (1).png",
  ]);
  expect(found('see "~/c d.pdf" and file:///home/me/x%20y.webp')).toEqual(["~/c d.pdf", "/home/me/x y.webp"]);
  expect(found("the route /logo.png. And ~/e.gif")).toEqual(["/logo.png", "~/e.gif"]);
  expect(found("src/logo.png, @/a.png, https://example.org/a.png, /etc/passwd, /a.pngx and a/b.png")).toEqual([]);
});

it("attaches a dragged image, reports an invalid one, and ignores a path without a file", async () => {
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const folder = tree({ "a picture.png": png, "none.png": "text" });
  const tools = fileTools({ disk: guardDisk(realDisk, await policyFor(folder.path)), shell: shell({ cwd: folder.path, env: {} }) });
  const { agent, queue, events } = agentOf(modelOf([replied([say("I see.")])]), { tools, isThere: existsSync });
  queue.push(typed(`look: ${folder.at("a picture.png").replaceAll(" ", "\\ ")} ${folder.at("none.png")} /no/such.png`));
  await runTurns(agent, new AbortController().signal);
  const [first = []] = events.flatMap((event) => (event.type === "input" ? [event.inputs.slice(1)] : []));
  expect(first.map(({ text, media = [] }) => [text.split(":", 1)[0], media.length])).toEqual([
    [`${folder.at("a picture.png")}, attached by the person`, 1],
    [`The person named ${folder.at("none.png")}, which could not be attached`, 0],
  ]);
  expect(events.filter(({ type }) => type === "notice")).toEqual([]);
  folder.remove();
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
  // the event follows the line that names the file
  expect(events.slice(0, 2)).toMatchObject([
    { type: "input" },
    { type: "notice", text: "@nope.txt: there is no such file, so nothing is attached." },
  ]);
  expect(events.filter(({ type }) => type === "denied")).toEqual([
    { type: "denied", id: "@secret.txt", name: "Read", subject: "secret.txt", reason: "A rule denies it.", at: expect.any(String) },
  ]);
  // The agent has read the file, so it may edit it.
  expect(folder.text("a.ts")).toBe("one\nthree\n");
  folder.remove();
});

it("names the files that are left out if a line names too many", async () => {
  const names = Array.from({ length: 12 }, (_, n) => `${n}.ts`);
  const folder = tree(Object.fromEntries(names.map((name) => [name, "x\n"])));
  const tools = fileTools({ disk: guardDisk(realDisk, await policyFor(folder.path)), shell: shell({ cwd: folder.path, env: {} }) });
  const { agent, queue, events } = agentOf(modelOf([replied([say("Done.")])]), { tools });
  queue.push(typed(names.map((name) => `@${name}`).join(" ")));
  await runTurns(agent, new AbortController().signal);
  expect(events.flatMap((event) => (event.type === "input" ? [event.inputs.length] : []))).toEqual([11]);
  expect(events.flatMap((event) => (event.type === "notice" ? [event.text] : []))).toEqual([
    "At most 10 files are attached to one line. Not attached: @10.ts, @11.ts.",
  ]);
  folder.remove();
});
