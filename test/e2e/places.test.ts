// A session whose hands are at a place: a command that joins its arguments as ssh does, behind a shell that prints, and sshd on loopback.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { filesWith } from "../places/place-world.ts";
import { teamPlace } from "../team-kit.ts";

/** A repository with a commit, a file that git ignores, and the place `far` in the person's settings. */
function personWithPlace(command: (folder: string) => { command: string[]; arguments?: string }) {
  const there = teamPlace();
  const { repository, folder, configDir } = there;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trimEnd();
  for (const [key, value] of [["name", "Test"] as const, ["email", "test@localhost"] as const]) git("config", `user.${key}`, value);
  writeFileSync(join(repository, ".gitignore"), "ignored.txt\n");
  writeFileSync(join(repository, "a.txt"), "one\n");
  writeFileSync(join(repository, "secret.txt"), 'github_token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"\n');
  git("add", ".");
  git("commit", "--quiet", "--message", "The first one");
  writeFileSync(join(repository, "ignored.txt"), "home's own\n");
  writeFileSync(join(folder, "join.sh"), `echo "Welcome"\necho $$ >${folder}/pid\nexec sh -c "$*"\n`);
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  const far = join(folder, "far");
  const places = { far: { folder: far, ...command(folder) } };
  writeFileSync(join(configDir, "settings.json"), JSON.stringify({ places, permissions: { deny: ["Read(hidden.txt)"] } }));
  return { ...there, git, far };
}

const joining = (folder: string) => ({ command: ["/bin/sh", join(folder, "join.sh")], arguments: "joined" });

it("a session at a place reads, writes and runs there, under the person's rules, and its work comes home to be taken", async () => {
  const { piped, repository, far, configDir, git } = personWithPlace(joining);
  const api = await provider({
    tool: [
      call("Bash", { command: "pwd; cat ignored.txt; cat secret.txt" }),
      call("Read", { path: "hidden.txt" }),
      call("Read", { path: "a.txt" }),
      call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }),
      call("Write", { path: "made/new.txt", content: "new\n" }),
      call("Grep", { pattern: "two" }),
      text("Done."),
    ],
  });
  const args = ["--print", "--place", "far", "--worktree", "there", "--permission-mode", "acceptEdits", "--allow", "Bash", "go on now"];
  const session = piped(args, { env: api.env, input: "" });
  const { code } = await session.ended;
  expect({ code, said: session.stderr() }).toEqual({
    code: 3,
    said: expect.stringContaining("denied Read hidden.txt: The rule Read(hidden.txt) denies it"),
  });
  const results = api
    .requests("tool")
    .slice(1)
    .map((request) => toolResults(request).at(-1));
  expect(results[0]).toContain(join(far, "work"));
  expect(results[0]).toContain("ignored.txt: No such file or directory");
  expect(results[0]).toMatch(/github_token = "\[secret:[a-z-]+:\d+\]"/);
  expect(results[1]).toContain("Permission denied");
  expect(results[5]).toContain("a.txt");
  expect(readFileSync(join(repository, "a.txt"), "utf8")).toBe("one\n");

  const changes = piped(["changes", "--json"], { input: "" });
  await changes.ended;
  const [{ files }] = JSON.parse(changes.stdout()).changes;
  expect(files.map(({ path }: { path: string }) => path)).toEqual(["a.txt", "made/new.txt"]);
  expect(git("show", "refs/tool/places/there:a.txt")).toBe("two");
  // Nothing of home went along: not the key, not the settings, not the path of the repository.
  expect(filesWith(far, [api.env["ANTHROPIC_API_KEY"]!, configDir, "home's own"])).toEqual([]);
  expect(JSON.stringify(api.requests("tool")[0])).toContain('the place \\"far\\"');
  expect(existsSync(join(far, "program"))).toBe(true);
  expect(readdirSync(join(far, "repositories")).length).toBe(1);
});

it("a link that is killed is said to the model, what had come home stays, and nothing is left", async () => {
  const { piped, folder, git } = personWithPlace(joining);
  const cut = () => {
    process.kill(-Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
    return call("Bash", { command: "echo never" });
  };
  const api = await provider({ tool: [call("Write", { path: "new.txt", content: "new\n" }), cut, text("It is gone.")] });
  const args = ["--print", "--place", "far", "--worktree", "there", "--permission-mode", "acceptEdits", "--allow", "Bash", "go on now"];
  const session = piped(args, { env: api.env, input: "" });
  await session.ended;
  const results = api
    .requests("tool")
    .slice(1)
    .map((request) => toolResults(request).at(-1));
  expect(results[0]).toContain("Created new.txt");
  expect(results[1]).toContain(
    'The link to the place "far" is lost: ended by SIGKILL. Whether a call that ran was carried out is not known.',
  );
  expect(session.stderr()).toContain("What changed at far is not home yet");
  expect(git("status", "--porcelain", "--ignored")).toBe("!! ignored.txt");
});

it.each([
  ["a place that the settings do not name", ["--place", "fra"], 'your settings have no place "fra". Did you mean "far"?'],
  ["a session that is not there", ["--place", "far", "--resume", "x"], "no session of this folder has it"],
])("refuses %s, and sends nothing", async (_what, flags, why) => {
  const { piped } = personWithPlace(joining);
  const api = await provider({ tool: [text("Done.")] });
  const session = piped(["--print", ...flags, "go on now"], { env: api.env, input: "" });
  expect([(await session.ended).code, session.stderr()]).toEqual([2, expect.stringContaining(why)]);
  expect(api.requests("tool")).toEqual([]);
});
