// README.md and docs/: each block is checked by its language. `sh` runs to its end, `sh screen` opens a screen, `sh install` names existing
// scripts, `json` is settings, `json plan` is a batch's plan, `text` is output. A page that needs more has a test of its own.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { planSchema } from "../../src/batch/plan/plan.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { provider } from "../cast.ts";
import { personsTerminal } from "../persons-terminal.ts";
import { startPiped } from "../scratch.ts";
import { type Place, teamPlace } from "../team-kit.ts";

const pages = ["README.md", ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? `docs/${name}` : []))];
const textOf = (page: string) => readFileSync(page, "utf8");
const blocks = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, kind = "", text = ""], index) => ({
    page: `${page}, block ${index + 1}`,
    kind,
    text,
  })),
);
const of = (kind: string) => blocks.filter((block) => block.kind === kind);

/**
 * Commands that report findings with their exit code: some machines lack something, src/a.ts is not hidden, and this provider has no plan
 * for a batch.
 */
const mayFail = [/^tool doctor.* → 1$/, /^tool secrets scan.* → 1$/, /^tool batch .* --plan-only → 1$/];

describe("the pages", () => {
  it("have only blocks that are checked", () => {
    const ofHooks = ["docs/hooks.md, block 2"];
    const known = ["sh", "sh screen", "sh install", "json", "json plan", "text"];
    expect(blocks.filter(({ page, kind }) => !known.includes(kind) && !ofHooks.includes(page))).toEqual([]);
    expect(of("sh").length).toBeGreaterThan(8);
  });

  it("have no broken links", () => {
    const links = pages.flatMap((page) => [...textOf(page).matchAll(/\]\(([^)]+)\)/g)].map(([, to = ""]) => ({ page, to })));
    const leadsNowhere = ({ page, to }: { page: string; to: string }) => {
      const [path = "", heading] = to.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      return !existsSync(target) || (heading !== undefined && !headingsOf(textOf(target)).includes(heading));
    };
    expect(links.filter(({ to }) => !to.startsWith("https:")).filter(leadsNowhere)).toEqual([]);
    expect(links.length).toBeGreaterThan(pages.length);
  });

  it.each(of("json"))("have settings that are understood: $page", ({ page, text }) => {
    expect(parseSettings(text, page)).toMatchObject({ ok: true });
  });

  it.each(of("json plan"))("have plans that a batch takes: $page", ({ text }) => {
    expect(planSchema.safeParse(JSON.parse(text))).toMatchObject({ success: true });
  });

  it.each(of("sh install"))("install and build with existing scripts: $page", ({ text }) => {
    const scripts = Object.keys(JSON.parse(textOf("package.json")).scripts);
    const commands = text
      .trim()
      .split("\n")
      .map((line) => line.replace(/\s+#.*/, ""));
    const isThere = (command: string) =>
      ["npm ci", "npm link"].includes(command) || scripts.includes(command.replace(/^npm (run )?/, "").replace(/ --( --[a-z-]+)+$/, ""));
    expect(commands.filter((command) => !isThere(command))).toEqual([]);
  });
});

it.each(pages.filter((page) => of("sh").some((block) => block.page.startsWith(`${page},`))))("runs: %s", async (page) => {
  const { there, env } = await place();
  const commands = of("sh").flatMap((block) => (block.page.startsWith(`${page},`) ? block.text : []));
  const script = `trap 'echo "$BASH_COMMAND → $?" >> ../failed' ERR\n${commands.join("")}`;
  const run = startPiped(["bash", "--norc", "-uo", "pipefail", "-c", script], { env, cwd: there.repository, input: "" });
  await run.ended;
  const failed = existsSync(join(there.folder, "failed")) ? textOf(join(there.folder, "failed")).trim().split("\n") : [];
  const unexpected = failed.filter((line) => !mayFail.some((known) => known.test(line)));
  expect({ unexpected, said: unexpected.length > 0 ? run.stdout() + run.stderr() : "" }).toEqual({ unexpected: [], said: "" });
});

it.each(of("sh screen"))("opens a screen: $page", async ({ text }) => {
  const { there, env } = await place();
  for (const line of text.trim().split("\n")) {
    const [, name, value = ""] = /^export (\w+)=(\S+)/.exec(line) ?? [];
    if (name) env[name] = value;
    else await visit(there, env, line);
  }
});

/** Reads the screen that a command opens, and leaves it. */
async function visit(there: Place, env: Record<string, string>, command: string): Promise<void> {
  const seat = personsTerminal(["bash", "-c", command], { env, cwd: there.repository, columns: 160, rows: 45 });
  await seat.shows(/"/.test(command) ? "(nothing more)" : ">");
  if (command.startsWith("tool team")) await there.warm(["team", "stop"]).ended;
  else {
    await seat.shows("ready");
    void seat.leave();
  }
  expect({ command, code: await seat.ended, screen: seat.everything() }).toMatchObject({ code: expect.any(Number) });
}

/** A repository in which somebody works, with a team in it, and a provider with short answers. */
async function place(): Promise<{ there: Place; env: Record<string, string> }> {
  const api = await provider({});
  const there = teamPlace();
  const env = { ...there.env, ...api.env };
  for (const [path, content] of Object.entries({
    "src/a.ts": "export const a = 1;\n",
    "config/database.yml": "host: localhost\n",
    "cases.jsonl": '{"call":{"tool":"Bash","input":{"command":"ls"}}}\n',
  })) {
    mkdirSync(dirname(join(there.repository, path)), { recursive: true });
    writeFileSync(join(there.repository, path), content);
  }
  const git = (...args: string[]) => execFileSync("git", ["-C", there.repository, ...args]);
  git("config", "user.name", "a");
  git("config", "user.email", "a@example.org");
  git("checkout", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  writeFileSync(join(there.repository, "src/a.ts"), "export const a = 2;\n");
  await there.warm(["team", "create", "atlas", "--members", "lead,ann"]).ended;
  return { there, env };
}

/** The anchors that a forge makes of the lines beginning with #. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(/\s/g, "-"),
  );
}
