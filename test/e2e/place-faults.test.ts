// What may be wrong with a place and its machine: a clock that is an hour off, a host that boots again; and what must never get there.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { has, onDisk, recordedIn, recordingCommand } from "../places/link-record.ts";
import { personWithPlace } from "../places/person.ts";
import { eventually } from "../scratch.ts";
import { processesOf, tool } from "../team-kit.ts";

const atFar = ["--print", "--place", "far", "--worktree", "there", "--permission-mode", "acceptEdits", "--allow", "Bash"];

/** A Node whose clock differs by so many hours. */
function nodeWithClock(folder: string, hours: number): string {
  const shift = join(folder, "clock.mjs");
  writeFileSync(
    shift,
    `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) { super(...(args.length === 0 ? [Real.now() + ${hours} * 3_600_000] : args)); }
  static now() { return Real.now() + ${hours} * 3_600_000; }
};
`,
  );
  const node = join(folder, "node.sh");
  writeFileSync(node, `#!/bin/sh\nexec ${process.execPath} --import ${shift} "$@"\n`, { mode: 0o755 });
  return node;
}

it.each([1, -1])("a clock that is %i hour off there changes nothing: not who lives there, nor what comes home", async (hours) => {
  const { warm, git, folder, repository, env, configDir } = personWithPlace(
    (at) => ({ command: ["env"], node: nodeWithClock(at, hours) }),
    { program: "missing" },
  );
  const other = join(configDir, "settings.json");
  /** From a Node whose clock is right. */
  const cleared = () => {
    const settings = JSON.parse(readFileSync(other, "utf8"));
    writeFileSync(
      other,
      JSON.stringify({ ...settings, places: { ...settings.places, right: { command: ["env"], folder: join(folder, "far") } } }),
    );
    const [program = "", ...args] = tool;
    return JSON.parse(execFileSync(program, [...args, "place", "gc", "right", "--json"], { cwd: repository, env, encoding: "utf8" }));
  };
  let seen: unknown;
  const api = await provider({
    tool: [
      call("Bash", { command: "node -p 'new Date().getTime()'; echo begun >b.txt; sleep 1; echo ended", background: true }),
      call("Read", { path: "a.txt" }),
      call("Edit", { path: "a.txt", old_string: "one", new_string: "two" }),
      () => {
        seen = cleared();
        return call("Read", { path: "a.txt" });
      },
      call("Bash", { command: "cat a.txt b.txt" }),
      text("Done."),
      text("It has ended."),
    ],
  });
  const session = warm([...atFar, "go on now"], { env: api.env });
  expect((await session.ended).code, session.stderr()).toBe(0);
  expect(seen).toEqual({ ok: true, place: "right", works: 0, programs: 0, alive: 1 });
  const results = api.requests("tool").map((request) => toolResults(request).at(-1) ?? "");
  expect([results[4], results[5]]).toEqual([expect.stringContaining("two"), expect.stringMatching(/^two\nbegun/)]);
  expect([git("show", "refs/tool/places/there:a.txt"), git("show", "refs/tool/places/there:b.txt")]).toEqual(["two", "begun"]);
  const again = warm([...atFar, "--continue", "go on now"], { env: (await provider({ tool: [text("Here.")] })).env });
  expect((await again.ended).code, again.stderr()).toBe(0);
  expect(readdirSync(join(folder, "far")).includes("work")).toBe(false);
});

it("a host that boots again loses its processes and its temporary files, and no turn that had ended", async () => {
  const temporary = (folder: string) => join(folder, "far-tmp");
  const { warm, git, folder, far } = personWithPlace((at) => ({ command: ["env", `TMPDIR=${temporary(at)}`] }));
  mkdirSync(temporary(folder));
  const boot = async () => {
    await eventually(() => git("for-each-ref", "refs/tool/places/there") !== "");
    for (const { pid } of processesOf(temporary(folder))) process.kill(pid, "SIGKILL");
    rmSync(temporary(folder), { recursive: true });
    mkdirSync(temporary(folder));
    return call("Bash", { command: "echo never" });
  };
  const api = await provider({
    tool: [
      call("Bash", { command: "sleep 300", background: true }),
      call("Write", { path: "kept.txt", content: "kept\n" }),
      boot,
      call("Bash", { command: "cat kept.txt; echo later >later.txt" }),
      text("Done."),
      text("I know."),
    ],
  });
  const session = warm([...atFar, "go on now"], { env: api.env });
  await session.ended;
  const results = api.requests("tool").map((request) => toolResults(request).at(-1) ?? "");
  expect(results[3]).toContain('The hands at the place "far" are gone');
  expect(results[4]).toMatch(/^kept/);
  expect(git("show", "refs/tool/places/there:later.txt")).toBe("later");
  expect(readdirSync(far).toSorted()).toEqual(["links", "program", "repositories", "state"]);
  await eventually(() => processesOf(temporary(folder)).length === 0);
});

it("no key, token or secret of home is in anything that goes over the link, or on the disk of the place", async () => {
  const planted = { code: "planted-in-the-code", ignored: "planted-in-an-ignored-file", command: "planted-in-a-command" };
  const secrets = {
    token: "ghp_zyxwvutsrqponmlkjihgfedcba9876543210",
    setting: "kept-in-settings-0123456789",
    denied: "kept-by-a-rule-0123456789",
    unnamed: "ignored-and-not-named-0123456789",
    environment: "in-the-environment-0123456789",
  };
  const { warm, folder, far, write, git, configDir } = personWithPlace((at) => ({ command: recordingCommand(at) }), { program: "missing" });
  write("repo/.gitignore", "vendor/\n.env\nown.txt\n");
  write("repo/.worktreeinclude", "vendor/\n.env\n");
  write("repo/code.txt", `${planted.code}\n`);
  git("add", ".");
  git("commit", "--quiet", "--message", "Code");
  write("repo/vendor/lib.txt", `${planted.ignored}\n`);
  write("repo/.env", `TOKEN=${secrets.denied}\n`);
  write("repo/own.txt", `${secrets.unnamed}\n`);
  const settings = JSON.parse(readFileSync(join(configDir, "settings.json"), "utf8"));
  writeFileSync(join(configDir, "settings.json"), JSON.stringify({ ...settings, env: { SERVICE: secrets.setting } }));
  const api = await provider({
    tool: [
      call("Bash", { command: `echo ${planted.command}; env; cat vendor/lib.txt secret.txt` }),
      call("Write", { path: "made.txt", content: "made there\n" }),
      call("Grep", { pattern: "planted" }),
      text("Done."),
    ],
  });
  const env = { ...api.env, GH_TOKEN: secrets.token, AWS_SECRET_ACCESS_KEY: secrets.environment };
  const session = warm([...atFar, "go on now"], { env });
  expect((await session.ended).code, session.stderr()).toBe(0);

  const { sent, received } = recordedIn(folder);
  const disk = onDisk(far);
  // What is there is found, however it is packed.
  expect(Object.values(planted).map((text) => has(sent, text))).toEqual([true, true, true]);
  expect([planted.ignored, planted.command, "made there"].map((text) => has(received, text))).toEqual([true, true, true]);
  expect(has(disk, planted.code)).toBe(true);
  // A secret in the code that is there leaves the place as a placeholder.
  const ofCode = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  expect([has(sent, ofCode), has(received, ofCode)]).toEqual([true, false]);
  const ofHome = [...Object.values(secrets), api.env["ANTHROPIC_API_KEY"]!];
  for (const parts of [sent, received, disk]) expect(ofHome.filter((text) => has(parts, text))).toEqual([]);
  expect(has(disk, configDir)).toBe(false); // where rules are from is said over the link, and kept nowhere
});

it("of 100 MB of output there a part comes home, and its end is among it", async () => {
  const { warm } = personWithPlace(() => ({ command: ["env"] }));
  const command = "head -c 100000000 /dev/zero | tr '\\0' x | fold -w 999; echo ended";
  const api = await provider({ tool: [call("Bash", { command }), text("Done.")] });
  const session = warm([...atFar, "--output-format", "json", "go on now"], { env: api.env });
  expect((await session.ended).code, session.stderr()).toBe(0);
  const [result = ""] = toolResults(api.requests("tool")[1]!);
  expect([result.length < 40_000, result.includes("ended")]).toEqual([true, true]);
  expect(JSON.parse(session.stdout()).hands.received_bytes).toBeLessThan(20_000_000);
});
