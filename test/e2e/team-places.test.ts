// A team in a person's tmux whose two teammates have their hands at two places: one of them dies under its teammate, which goes on with new
// ones, and each sees at its place what the other has handed over at home.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { HandsFacts } from "../../src/places/hands-facts.ts";
import { evidenceWords } from "../../src/wording/evidence.ts";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { filesWith } from "../places/place-world.ts";
import { eventually } from "../scratch.ts";
import { type Place, teamPlace } from "../team-kit.ts";
import { attend } from "./attended.ts";

const completed = (id: string) => call("TaskUpdate", { id, status: "completed", summary: `${id} is done.` });

/** A repository with a commit, and the places `one` and `two`, whose command leaves its process id. */
function withPlaces(place: Place) {
  const { repository, configDir, folder } = place;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: "pipe" }).trim();
  git("config", "user.name", "Test");
  git("config", "user.email", "test@localhost");
  writeFileSync(join(repository, "a.txt"), "one\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "First");
  place.write("two.sh", `echo $$ >${folder}/two.pid\nexec "$@"\n`);
  const places = {
    one: { command: ["env"], folder: join(folder, "one") },
    two: { command: ["/bin/sh", join(folder, "two.sh")], folder: join(folder, "two") },
    broken: { command: ["false"], folder: join(folder, "broken") },
  };
  mkdirSync(configDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(configDir, "settings.json"), JSON.stringify({ places }));
  return git;
}

it("two teammates work at two places, survive the death of hands, and get each other's work there", async () => {
  const place = teamPlace();
  const git = withPlaces(place);
  const { folder } = place;
  const snapshot = () => git("for-each-ref", "refs/tool/places/") !== "";
  const kill = async () => {
    await eventually(snapshot);
    process.kill(-Number(readFileSync(join(folder, "two.pid"), "utf8")), "SIGKILL");
    return call("Bash", { command: "npm test" });
  };
  const api = await provider({
    lead: [
      [call("SpawnTeammate", { name: "ada", place: "one" }), call("SpawnTeammate", { name: "bo" })],
      call("SpawnTeammate", { name: "cy", place: "one" }),
      [
        call("TaskCreate", { title: "One", assignee: "ada" }),
        call("TaskCreate", { title: "Two", assignee: "bo" }),
        call("TaskCreate", { title: "Three", assignee: "ada", dependencies: ["task-1", "task-2"] }),
      ],
      text("Both are at work."),
      text("All is well."),
    ],
    ada: [
      call("Bash", { command: "pwd; echo ada >>a.txt" }),
      completed("task-1"),
      text("Done."),
      call("Bash", { command: "cat a.txt b.txt; git log --oneline | wc -l" }),
      completed("task-3"),
      text("Done."),
    ],
    bo: [
      call("Write", { path: "b.txt", content: "bo\n" }),
      kill,
      call("Bash", { command: "cat b.txt; pwd" }),
      completed("task-2"),
      text("Done."),
    ],
  });
  const args = ["team", "--worktrees", "--places", "one:1,two:2", "--allow", "Bash", "--allow", "Write", "Do it."];
  const person = await attend(place, args, { tmux: "inside", team: "atlas", env: api.env });
  await eventually(() => place.team().tasks()[2]?.status === "completed" && api.requests("lead").length > 4);
  const [lead, ada, bo] = ["lead", "ada", "bo"].map((name) => api.requests(name).slice(1).map(toolResults));
  expect(lead?.[0]).toEqual(["ada has started, with its hands at one.", "bo has started, with its hands at two."]);
  expect(lead?.[1]?.[0]).toContain('Cannot start "cy": no place has room for its hands: one takes 1 at once.');
  expect(ada?.[0]?.[0]).toContain(join(folder, "one", "work"));
  expect(ada?.[3]?.[0]).toContain("one\nada\nbo\n");
  expect(bo?.[1]?.[0]).toContain('The hands at the place "two" are gone: ended by SIGKILL.');
  expect(JSON.stringify(api.requests("bo")[3]?.body.messages)).toMatch(
    /New hands work for you now, at the place \\"two\\".* the working directory is .*[/]two[/]work/,
  );
  // Nobody has seen how its test ended, or whether it began.
  expect(["no test was run", "last test ? outcome unknown"]).toContain(evidenceWords(place.team().tasks()[1]?.evidence));
  expect(bo?.[2]?.[0]).toMatch(/^bo\n.*\/two\/work\//);
  expect(
    person
      .panes()
      .map(({ agent }) => agent)
      .toSorted(),
  ).toEqual(["", "ada", "bo"]);
  expect(place.team().status("bo")?.hands).toMatchObject({ place: "two", state: "working", restarts: 1 });
  expect(["one", "two"].flatMap((name) => filesWith(join(folder, name), ["sk-test"]))).toEqual([]);
  const seen = async (...args: string[]) => {
    const look = place.warm(args, { env: {} });
    await look.ended;
    return look.stdout();
  };
  const { members } = JSON.parse(await seen("team", "status", "--json"));
  expect(members.map(({ name, hands }: { name: string; hands: HandsFacts | null }) => [name, hands?.place ?? null])).toEqual([
    ["lead", null],
    ["ada", "one"],
    ["bo", "two"],
  ]);
  expect(await seen("team", "status")).toMatch(/bo .* at two, (?:<1|\d+)ms, 1 restart, [\d.]+ MB out, [\d.]+ kB in/);
  expect(await seen("team", "log")).toMatch(/ada: its hands are at one, after .*bo: its hands at two are gone: ended by SIGKILL/s);
  expect(person.screen()).toMatch(/ada · idle │ at one, (?:<1|\d+)ms/);
  person.press("C-c");
  person.press("C-c");
  await eventually(() => person.code() === 0);
  const branch = git("branch", "--list", "tool/team-*/merged", "--format=%(refname:short)");
  expect([git("show", `${branch}:a.txt`), git("show", `${branch}:b.txt`)]).toEqual(["one\nada", "bo"]);
  expect(await seen("privacy", "--all")).toMatch(/to the place two: [\d,]+ bytes sent, [\d,]+ received; with the code of its tree/);
  expect(["one", "two"].map((name) => existsSync(join(folder, name, "work")))).toEqual([false, false]);
});

it("where a place starts no hands, the lead hears why, and the others work", async () => {
  const place = teamPlace();
  const git = withPlaces(place);
  const api = await provider({
    lead: [
      [call("SpawnTeammate", { name: "ada" }), call("TaskCreate", { title: "One", assignee: "ada" })],
      text("It is at work."),
      text("I know."),
      text("All is well."),
    ],
    ada: [call("Write", { path: "b.txt", content: "ada\n" }), completed("task-1"), text("Done.")],
  });
  const args = ["team", "--print", "--display", "in-process", "--worktrees", "--teammate", "rita@broken", "--places", "broken,one"];
  const run = place.warm([...args, "--allow", "Write", "Do it."], { env: api.env });
  expect([(await run.ended).code, run.output()]).toEqual([1, expect.stringContaining('Failed: rita: cannot work at the place "broken"')]);
  expect(JSON.stringify(api.requests("lead").at(-1)?.body.messages)).toContain("its command ended before anything of ours ran");
  expect(place.team().exit("rita")).toMatchObject({ reason: "fault", cause: "configuration", detail: expect.stringContaining("broken") });
  expect(git("show", `${git("branch", "--list", "tool/team-*/merged", "--format=%(refname:short)")}:b.txt`)).toBe("ada");
  expect(place.team().status("ada")?.hands?.place).toBe("one");
});
