// Commits made by an agent's command go through git's own hook, inside the sandbox and without one.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { seeded } from "../process/seeded.ts";
import { draw } from "../secrets/labelled.ts";
import { teamPlace } from "../team-kit.ts";

const token = `ghp_${draw("base62", 36, seeded(12))}`;

it.each([true, false])("a script's commit with a secret is refused, and one without is made; sandbox: %s", async (enabled) => {
  const place = teamPlace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.repository, encoding: "utf8", stdio: "pipe" }).trim();
  git("init", "--quiet");
  git("config", "user.name", "t");
  git("config", "user.email", "t@localhost");
  writeFileSync(join(place.repository, ".gitignore"), "local.txt\n");
  writeFileSync(join(place.repository, "local.txt"), `token = ${token}\n`);
  writeFileSync(join(place.repository, "secret.sh"), "git add -f local.txt && git commit --quiet -m secret\n");
  writeFileSync(join(place.repository, "clean.sh"), "git rm --quiet --cached local.txt && git add . && git commit --quiet -m clean\n");
  const commands = ["sh secret.sh", "sh clean.sh", "git -c core.hooksPath=/dev/null commit --allow-empty -m x"];
  const api = await provider({ tool: [...commands.map((command) => [call("Bash", { command })]), text("Done.")] });
  mkdirSync(place.configDir);
  writeFileSync(join(place.configDir, "settings.json"), JSON.stringify({ sandbox: { enabled } }));
  const argv = ["--print", "--permission-mode", "bypassPermissions", "Do it."];
  const program = place.warm(argv, { env: api.env });
  await program.ended;
  const told = [1, 2, 3].map((at) => toolResults(api.requests("tool")[at])[0]?.split("\n").slice(0, 2));
  expect(told).toEqual([
    ["Nothing was committed, because secrets would be:", "local.txt:1  github-token  ghp_… (40 characters)"],
    ["(no output)"],
    [expect.stringContaining("Nothing was run, because the command changes which hooks git runs")],
  ]);
  expect([git("log", "--format=%s"), git("config", "--default", "none", "--get", "core.hooksPath")]).toEqual(["clean", "none"]);
});

it("a commit that a script makes without the hooks is reported", async () => {
  const place = teamPlace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.repository, encoding: "utf8", stdio: "pipe" }).trim();
  git("config", "user.name", "t");
  git("config", "user.email", "t@localhost");
  git("commit", "-qm", "first", "--allow-empty");
  writeFileSync(join(place.repository, "local.txt"), `token = ${token}\n`);
  writeFileSync(
    join(place.repository, "s.sh"),
    "git -c core.hooksPath=/dev/null add local.txt\ngit -c core.hooksPath=/dev/null commit -qm x\n",
  );
  const commands = ["sh s.sh", "git log --oneline | wc -l"];
  const api = await provider({ tool: [...commands.map((command) => [call("Bash", { command })]), text("Done.")] });
  const program = place.warm(["--print", "--permission-mode", "bypassPermissions", "Do it."], { env: api.env });
  await program.ended;
  const told = [1, 2].map((at) => toolResults(api.requests("tool")[at])[0]?.split("\n").filter(Boolean));
  expect(told).toEqual([
    [
      expect.stringContaining("This command has committed secrets, bypassing the hook"),
      "local.txt:1  github-token  ghp_… (40 characters)]",
    ],
    ["2"],
  ]);
});
