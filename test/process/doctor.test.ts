// `tool doctor` on the real machine: what it finds in a folder, and the rules that it writes.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lacks } from "../needs.ts";
import { scratchFolder, startPiped } from "../scratch.ts";
import { teamPlace, tool } from "../team-kit.ts";

const plainPath = "/usr/local/bin:/usr/bin:/bin";

async function doctor(args: string[], env: Record<string, string> = {}, prepare: (repository: string) => void = () => {}) {
  const there = teamPlace();
  prepare(there.repository);
  writeFileSync(join(there.repository, ".env"), "A=1\n");
  writeFileSync(join(there.repository, ".env.example"), "A=\n");
  writeFileSync(join(there.repository, "kept.pem"), "-----BEGIN PRIVATE KEY-----\n");
  writeFileSync(join(there.repository, "public.pem"), "-----BEGIN CERTIFICATE-----\n");
  execFileSync("git", ["add", "kept.pem"], { cwd: there.repository });
  const program = startPiped([...tool, "doctor", ...args], {
    env: { ...there.env, PATH: plainPath, ...env },
    cwd: there.repository,
    input: "",
  });
  const { code } = await program.ended;
  return { there, code, stdout: program.stdout(), stderr: program.stderr() };
}

it("names each thing once, says what to do, and exits with 1 if something does not work", async () => {
  const { code, stdout } = await doctor(["--json"]);
  const { ok, findings } = JSON.parse(stdout) as {
    ok: boolean;
    findings: { what: string; state: string; text: string; advice?: string }[];
  };
  expect({ code, ok, what: findings.map(({ what }) => what) }).toEqual({
    code: 1,
    ok: false,
    what: ["version", "node", "model", "git", "search", "tmux", "sandbox", "teams", "files", "secrets", "secrets"],
  });
  expect(findings.find(({ what }) => what === "model")).toMatchObject({ state: "broken", text: expect.stringContaining("No key") });
  expect(findings.find(({ what }) => what === "secrets")).toEqual({
    what: "secrets",
    state: "weak",
    text: "not covered by .gitignore: .env, kept.pem",
    advice: expect.stringMatching(/^To write the rules: node \S*bin\/tool\.js doctor --fix$/),
  });
  expect(findings.at(-1)).toMatchObject({
    what: "secrets",
    text: "tracked by git: kept.pem",
    advice: expect.stringContaining("git rm --cached -- kept.pem"),
  });
});

it("writes the rules if asked to, then names only what git tracks, and is content with a key", async () => {
  const { there, code, stderr, stdout } = await doctor(["--fix"], { ANTHROPIC_API_KEY: "sk-test" });
  expect(readFileSync(join(there.repository, ".gitignore"), "utf8")).toBe("/.env\n/kept.pem\n");
  expect([code, stderr]).toEqual([0, expect.stringContaining("Added to .gitignore: .env, kept.pem.")]);
  expect(stdout).toContain("the key comes from ANTHROPIC_API_KEY; it was not tried");
  expect(stdout.match(/secrets {2}.*/g)).toEqual(["secrets  tracked by git: kept.pem"]);
});

it("writes no rule through a link that a command may have put there", async () => {
  const mine = join(scratchFolder(), "mine");
  writeFileSync(mine, "");
  const { stderr } = await doctor(["--fix"], {}, (repository) => symlinkSync(mine, join(repository, ".gitignore")));
  expect([readFileSync(mine, "utf8"), stderr]).toEqual(["", expect.stringMatching(/Nothing was added to .gitignore: .*it is a link/)]);
});

it("names the entries of PATH in which no helper program is searched for, and why", async () => {
  const { stdout } = await doctor(["--json"], { PATH: `./bin::/tmp:${plainPath}` });
  const { findings } = JSON.parse(stdout) as { findings: { what: string; state: string; text: string; advice?: string }[] };
  const entries = [
    '"./bin" (it is relative, so it means another folder in each directory)',
    '"" (it is empty, which means the working directory of the moment)',
    '"/tmp" (it is inside /tmp, where commands of an agent may write)',
  ];
  expect(findings.find(({ what }) => what === "path")).toMatchObject({
    state: "weak",
    text: `bash, bwrap, git, rg and tmux are not taken from ${entries.join(", ")}`,
    advice: expect.stringContaining("A link to root's own program of the same name is still accepted in an absolute entry."),
  });
  expect(findings.find(({ what }) => what === "git")?.state).toBe("fine");
});

it("names hooks whose program is missing or not executable", async () => {
  const there = teamPlace();
  const hooks = ["~/bin/gone --fast", "./here.sh", "./plain.sh", '"$TOOL_PROJECT_DIR"/gone.sh', "true", "for x in a/b; do :; done"];
  writeFileSync(join(there.repository, "here.sh"), "", { mode: 0o755 });
  writeFileSync(join(there.repository, "plain.sh"), "", { mode: 0o644 });
  const group = hooks.map((command) => ({ type: "command", command }));
  there.write("config/settings.json", JSON.stringify({ hooks: { Stop: [{ hooks: group }] } }));
  const program = there.piped(["doctor", "--json"], { input: "" });
  await program.ended;
  const { findings } = JSON.parse(program.stdout()) as { findings: { what: string; text: string }[] };
  expect(findings.flatMap(({ what, text }) => (what === "hooks" ? text.replace(there.folder, "") : []))).toEqual([
    "the program of a hook for Stop is missing: /home/bin/gone",
    "the program of a hook for Stop is not executable: /repo/plain.sh",
    "the program of a hook for Stop is missing: /repo/gone.sh",
  ]);
});

it.skipIf(await lacks("sandbox"))("says that a session has no sandbox in a tree with more protected files than it covers", async () => {
  const there = teamPlace();
  for (let n = 0; n <= 1_000; n++) {
    mkdirSync(join(there.repository, `p${n}`));
    writeFileSync(join(there.repository, `p${n}`, ".envrc"), "");
  }
  const program = startPiped([...tool, "doctor", "--json"], { env: there.env, cwd: there.repository, input: "" });
  await program.ended;
  const { findings } = JSON.parse(program.stdout()) as { findings: { what: string; state: string; text: string }[] };
  expect(findings.find(({ what }) => what === "sandbox")).toMatchObject({
    state: "broken",
    text: expect.stringMatching(/^there are \d+ protected or denied files below the working directory/),
  });
});
