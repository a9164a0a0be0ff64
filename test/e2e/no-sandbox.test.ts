// A machine without bubblewrap: what a wildcard covered in the sandbox is asked for, and here nobody is there to be asked.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { programFolder } from "../scratch.ts";
import { teamPlace } from "../team-kit.ts";

const linux = process.platform === "linux";

/** The programs that the commands below need, and nothing else on PATH. */
function pathWithoutBwrap(): string {
  const bin = programFolder();
  for (const name of ["bash", "sh", "cat", "touch", "git"]) symlinkSync(join("/usr/bin", name), join(bin, name));
  return bin;
}

const commands = ["cat a.txt", "touch b.txt", "touch c.txt", "grep -r key ."];
const rules = ["Bash(cat:*)", "Bash(touch:*)", "Bash(touch c.txt)", "Bash(grep:*)"].flatMap((rule) => ["--allow", rule]);

async function results(settings: object): Promise<string[]> {
  const place = teamPlace();
  const calls = commands.map((command) => call("Bash", { command }));
  const api = await provider({ tool: [calls, text("Done.")] });
  writeFileSync(join(place.repository, "a.txt"), "a\n");
  writeFileSync(join(place.repository, ".toolignore"), "secrets/\n");
  mkdirSync(place.configDir, { recursive: true });
  writeFileSync(join(place.configDir, "settings.json"), JSON.stringify(settings));
  const env = { ...api.env, PATH: pathWithoutBwrap() };
  const program = place.piped(["--print", ...rules, "Do it."], { env, input: "" });
  await program.ended;
  return toolResults(api.requests("tool")[1]);
}

const refused = (reason: string) => `Permission denied: Permission is missing and nobody can be asked here: ${reason}`;
const searched = refused(
  ". holds files that rules stand against, and nothing hides them from it. Only a person can allow it, in an interactive session.",
);

it.skipIf(!linux)("without bubblewrap a wildcard covers what only looks, and an exact rule what it names", async () => {
  expect(await results({})).toEqual([
    "a",
    refused(
      "the sandbox is not available here, and without it only a rule for exactly this command allows what may change something. It would be allowed by --allow 'Bash(touch b.txt)'.",
    ),
    "(no output)",
    searched,
  ]);
});

it.skipIf(!linux)("a person who turned the sandbox off has the rules as they are", async () => {
  expect(await results({ sandbox: { enabled: false } })).toEqual(["a", "(no output)", "(no output)", searched]);
});

it.skipIf(!linux)("git does not look where the repository would make it start a program", async () => {
  const place = teamPlace();
  const api = await provider({
    tool: [[call("Bash", { command: "git status" })], [call("Bash", { command: "git status --short" })], text("Done.")],
  });
  const canary = join(place.folder, "canary");
  execFileSync("git", ["-C", place.repository, "config", "core.fsmonitor", `touch ${canary}; false`]);
  const program = place.piped(["--print", "--allow", "Bash(git:*)", "--allow", "Bash(git status --short)", "Do it."], {
    env: { ...api.env, PATH: pathWithoutBwrap() },
    input: "",
  });
  await program.ended;
  const told = [1, 2].map((at) => toolResults(api.requests("tool")[at])[0]);
  expect(told[0]).toContain(`and here git would follow core.fsmonitor in the settings of ${place.repository}`);
  expect({ named: told[1], ran: existsSync(canary) }).toEqual({ named: "(no output)", ran: true });
});
