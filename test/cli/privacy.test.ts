import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SentEntry } from "../../src/agent/session/ledger.ts";
import { projectName } from "../../src/agent/session/transcript.ts";
import type { World } from "../../src/app/world.ts";
import { privacyCommand } from "../../src/cli/privacy.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { dayAndTime } from "../../src/wording/figures.ts";
import { scratchFolder } from "../scratch.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function entry(more: Partial<SentEntry>): SentEntry {
  return { at: "2026-01-02T10:20:30.000Z", request: 1, kind: "tool", sha256: sha256("x"), bytes: 1, redacted: 0, ...more };
}

/** Session ledgers by project and session (undefined: it has sent nothing), and what the command prints about them. */
function place(cwd: string, ledgers: Record<string, Record<string, SentEntry[] | undefined>>) {
  const configDir = scratchFolder();
  for (const [folder, sessions] of Object.entries(ledgers))
    for (const [session, entries] of Object.entries(sessions)) {
      const at = join(configDir, "projects", projectName(folder), session);
      mkdirSync(at, { recursive: true });
      if (entries) writeFileSync(join(at, "sent.jsonl"), entries.map((one) => `${JSON.stringify(one)}\n`).join(""));
    }
  return async (...args: string[]) => {
    let printed = "";
    const codes: number[] = [];
    const world = {
      cwd,
      configDir,
      stdout: {
        write: (text: string) => {
          printed += text;
        },
      },
      edges: { disk: async () => disk },
    } as unknown as World;
    await privacyCommand(world, (code) => codes.push(code)).parseAsync(args, { from: "user" });
    expect(codes).toEqual([0]);
    return printed;
  };
}

const read = (path: string, text: string, more: Partial<SentEntry> = {}) =>
  entry({ tool: "Read", files: [{ path, sha256: sha256(text), bytes: text.length }], ...more });

describe("tool privacy <path>", () => {
  it("says when a file was sent, by which tool and session, and whether its content is that one", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "a.txt"), "now");
    const privacy = place(folder, {
      [folder]: {
        s1: [read(join(folder, "a.txt"), "before")],
        s2: [read(join(folder, "a.txt"), "now", { at: "2026-01-03T10:20:30.000Z" })],
      },
    });
    expect(await privacy("a.txt")).toBe(
      "a.txt left this machine:\n" +
        "  2026-01-02 10:20  s1  6 bytes by Read; a content it no longer has\n" +
        "  2026-01-03 10:20  s2  3 bytes by Read; the content it has now\n",
    );
  });

  it("names the files of a folder, the sub-agent, and what an instruction file is", async () => {
    const privacy = place("/repo", {
      "/repo": {
        s1: [
          read("/repo/docs/b.md", "text", { agent: "reader" }),
          entry({ kind: "system", files: [{ path: "/repo/docs/AGENTS.md", sha256: sha256("y"), bytes: 1 }] }),
        ],
      },
    });
    const printed = await privacy("docs");
    expect(printed).toContain("s1 agent reader  b.md  4 bytes by Read; it is no longer there");
    expect(printed).toContain("s1  AGENTS.md  1 bytes as instructions");
  });

  it("does not take a file for one whose name it begins with", async () => {
    const privacy = place("/repo", { "/repo": { s1: [read("/repo/a.txt.bak", "text")] } });
    expect(await privacy("a.txt")).toBe("No tool that reads files has sent a.txt (1 session checked).\n");
  });

  it("lists commands that name it", async () => {
    const privacy = place("/repo", {
      "/repo": {
        s1: [
          entry({ kind: "command", command: "sort src/a.txt | head" }),
          entry({ kind: "command", command: "cat b.txt" }),
          entry({ kind: "command", command: "echo a.txt.old" }),
        ],
      },
    });
    const printed = await privacy("src/a.txt");
    expect(printed).toContain("Commands that name it, whose output was sent:\n  2026-01-02 10:20  s1  sort src/a.txt | head\n");
    expect(printed).not.toMatch(/b\.txt|old/);
  });

  it("looks at this folder's sessions, at one, or at all", async () => {
    const privacy = place("/repo", {
      "/repo": { s1: [read("/repo/a", "1")], s2: [read("/repo/a", "2")] },
      "/other": { s3: [read("/repo/a", "3")] },
    });
    const sessions = (printed: string) => JSON.parse(printed).departures.map(({ session }: { session: string }) => session);
    expect(sessions(await privacy("a", "--json"))).toEqual(["s1", "s2"]);
    expect(sessions(await privacy("a", "--json", "--session", "s2"))).toEqual(["s2"]);
    expect(sessions(await privacy("a", "--json", "--all")).toSorted()).toEqual(["s1", "s2", "s3"]);
  });

  it("says in JSON that nothing left", async () => {
    expect(JSON.parse(await place("/repo", {})("a", "--json"))).toEqual({
      ok: true,
      path: "/repo/a",
      left: false,
      departures: [],
      commands: [],
    });
  });
});

describe("tool privacy", () => {
  it("has a line for each session, the oldest first", async () => {
    const privacy = place("/repo", {
      "/repo": { late: [entry({ at: "2026-02-01T00:00:00.000Z" })], early: [entry({ at: "2026-01-01T00:00:00.000Z" })] },
    });
    const lines = (await privacy()).split("\n");
    expect(lines[0]).toBe("What left these sessions:");
    expect(lines.slice(1, 3).map((line) => line.slice(0, 23))).toEqual(
      ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"].map((at, index) => `  ${dayAndTime(at)}  ${["ear", "lat"][index]}`),
    );
    expect(JSON.parse(await privacy("--json")).sessions.map(({ session }: { session: string }) => session)).toEqual(["early", "late"]);
  });

  it.each([
    [[], "No session of this folder has sent anything. --all shows those of all folders.\n"],
    [["--all"], "Nothing has left this machine through this program.\n"],
    [["--session", "s1"], "The session s1 has sent nothing.\n"],
  ])("says with %j that there is nothing", async (args, expected) => {
    expect(await place("/repo", { "/repo": { s1: undefined } })(...args)).toBe(expected);
  });

  it("refuses a session that is not there, of which nothing could be said", async () => {
    const privacy = place("/repo", { "/repo": { s1: [entry({})] } });
    await expect(privacy("--session", "s9")).rejects.toThrow("There is no session s9 in this folder; --all looks in all of them.");
    await expect(privacy("a.txt", "--session", "s9", "--all")).rejects.toThrow("There is no session s9.");
  });
});
