// What streams as it is written goes to an editor without secrets, in its order, and never after its end.
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { createFeed } from "../../../src/app/acp/feed.ts";
import { createUpdates } from "../../../src/app/acp/updates.ts";
import { createStyle } from "../../../src/screen/style.ts";

function place() {
  let last = 0;
  const updates = createUpdates({ cwd: "/repo", notices: true, style: createStyle({ NO_COLOR: "1" }), uniqueId: () => `id-${++last}` });
  const sent: SessionUpdate[] = [];
  let showTails = () => {};
  const feed = createFeed({
    updates,
    send: async (update) => void sent.push(update),
    redacted: async (text) => text.replaceAll("s3cret", "[taken out]"),
    clock: {
      sleep: () =>
        new Promise((resolve) => {
          showTails = resolve;
        }),
    },
  });
  const at = "2026-01-02T03:04:05.000Z";
  return {
    feed,
    sent,
    async tick() {
      showTails();
      await new Promise((resolve) => setImmediate(resolve));
    },
    thought: (text: string) => feed.follow({ type: "thought", text }),
    text: (text: string) => feed.follow({ type: "text", text }),
    started: (id: string) => feed.follow({ type: "tool_started", id, name: "Bash", subject: "make", at }),
    output: (id: string, text: string) => feed.follow({ type: "tool_output", id, text }),
    ended: (id: string) =>
      feed.follow({
        type: "tool_ended",
        id,
        name: "Bash",
        subject: "make",
        text: "made",
        isError: false,
        summary: "",
        touched: [],
        ms: 1,
        at,
      }),
  };
}

it("holds a thought back until its line ends, so that a secret in pieces is recognized", async () => {
  const { feed, sent, thought, text } = place();
  for (const piece of ["It is s3c", "ret.\nAnd s3", "cret again"]) thought(piece);
  text("Done.");
  await feed.sent();
  expect(
    sent.map(
      (update) => "content" in update && "text" in (update.content as { text: string }) && (update.content as { text: string }).text,
    ),
  ).toEqual(["It is [taken out].\n", "And [taken out] again", "Done."]);
});

it("shows the end of what a call prints as a whole, and nothing of it once it has ended", async () => {
  const { feed, sent, started, output, ended, tick } = place();
  started("c1");
  output("c1", `${"old line\n".repeat(2_000)}s3c`);
  output("c1", "ret\n```\n");
  await tick();
  await feed.sent();
  const shown = JSON.stringify(sent.at(-1));
  expect(shown).toContain("[taken out]\\n```\\n````");
  expect(shown.length).toBeLessThan(10_000);
  output("c1", "more\n");
  ended("c1");
  await tick();
  await feed.sent();
  expect(sent.slice(2)).toEqual([
    expect.objectContaining({ status: "completed", content: [{ type: "content", content: { type: "text", text: "```\nmade\n```" } }] }),
  ]);
});
