import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownFolders } from "../../../../src/edge/git/repository/own-folders.ts";
import { commandRecord, putAsideInterrupted } from "../../../../src/edge/shell/sandbox/interrupted-command.ts";
import type { Found } from "../../../../src/edge/shell/sandbox/tree.ts";
import { pathClasses } from "../../../../src/permissions/sandbox/sandbox-view.ts";
import { failing } from "../../../failing-calls.ts";
import { scratchFolder } from "../../../scratch.ts";
import { policyFor } from "../../../tools/agent.ts";
import { craftedIndex, overfullIndex } from "../../git/crafted-index.ts";

const nothing = { entries: [], closed: [] };
const nothingLeft = { moved: [], failed: [], back: [], away: [] };

it("belongs to the first of several running commands, and is gone when none runs", () => {
  const folder = scratchFolder();
  const file = join(folder, "running.json");
  const known = () => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).known : "no record");
  const record = commandRecord(folder);
  const begin = (...paths: string[]) => record.begin(["/repo"], { ...nothing, entries: paths.map((path) => ({ path }) as Found) });
  const seen: unknown[] = [];
  const endFirst = begin("/repo/a");
  const endSecond = begin("/repo/a", "/repo/b");
  seen.push(known());
  endSecond();
  seen.push(known());
  const endThird = begin("/repo/a", "/repo/c");
  endFirst();
  seen.push(known());
  endThird();
  seen.push(known());
  expect(seen).toEqual([["/repo/a"], ["/repo/a"], ["/repo/a", "/repo/c"], "no record"]);
});

it("that cannot be removed does not make a command fail that has run", () => {
  const folder = scratchFolder();
  const end = commandRecord(folder).begin(["/repo"], nothing);
  failing("rmSync", { code: "EIO", when: (path) => path.startsWith(folder) });
  expect(end).not.toThrow();
});

it("is kept for the next start if the files cannot be read now", () => {
  const [folder, tree] = [scratchFolder(), scratchFolder()];
  const state = join(folder, "ada");
  mkdirSync(state);
  commandRecord(state).begin([tree], nothing);
  const file = join(state, "running.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(/"pid":\d+/, '"pid":99999999'));
  const broken = failing("readdirSync", { code: "EIO", when: (path) => path === tree });
  const places = { writable: [tree], classOf: () => undefined, packages: false };
  expect(putAsideInterrupted(folder, places).failed).toEqual([`${tree} could not be read, so the next start looks again`]);
  broken.mend();
  expect([existsSync(file), putAsideInterrupted(folder, places), existsSync(file)]).toEqual([true, nothingLeft, false]);
});

it.each([
  ["is taken for new after the clock was set", { since: 3_600_000, clockSetMs: 3_600_000 }, 1],
  ["is taken for new where the record lacks the clock", { since: 3_600_000, clockSetMs: undefined }, 1],
  ["was there if it was not changed since", { since: 3_600_000, clockSetMs: 0 }, 0],
])("a file that an interrupted command may have left %s", (_what, later, count) => {
  const [folder, tree] = [scratchFolder(), scratchFolder()];
  const state = join(folder, "ada");
  mkdirSync(state);
  commandRecord(state).begin([tree], nothing);
  const file = join(state, "running.json");
  const { process, since, clockSetMs, ...record } = JSON.parse(readFileSync(file, "utf8"));
  const shifted = { since: since + later.since, clockSetMs: later.clockSetMs === undefined ? undefined : clockSetMs + later.clockSetMs };
  writeFileSync(file, JSON.stringify({ ...record, ...shifted, process: { ...process, pid: 99_999_999 } }));
  writeFileSync(join(tree, ".envrc"), "");
  const classOf = () => ({ visibility: "readOnly" as const, rules: true });
  const { moved, failed } = putAsideInterrupted(folder, { writable: [tree], classOf, packages: false });
  expect([moved.length, failed, existsSync(join(tree, ".envrc"))]).toEqual([count, [], count === 0]);
});

it.each([
  ["is moved away, with what it hid", 0, [true, false]],
  ["stays if it was there before, and the record for the next start too", 3_600_000, [false, true]],
])("an index that cannot be read after a command was interrupted %s", (_what, later, [isMoved, isThere]) => {
  const [folder, tree] = [scratchFolder(), scratchFolder()];
  const state = join(folder, "ada");
  for (const path of [state, join(tree, ".git"), join(tree, "node_modules/e/.git"), join(tree, "node_modules/f/.git")])
    mkdirSync(path, { recursive: true });
  commandRecord(state).begin([tree], nothing);
  const file = join(state, "running.json");
  const { process, since, clockSetMs, ...record } = JSON.parse(readFileSync(file, "utf8"));
  const shifted = { since: since + later, clockSetMs, process: { ...process, pid: 99_999_999 } };
  writeFileSync(file, JSON.stringify({ ...record, ...shifted }));
  const [index, base] = ["index", `sharedindex.${"a".repeat(40)}`].map((name) => join(tree, ".git", name));
  writeFileSync(index!, overfullIndex([{ path: "node_modules/e" }]));
  writeFileSync(base!, craftedIndex([{ path: "node_modules/f" }]));
  const { moved, failed } = putAsideInterrupted(folder, { writable: [tree], classOf: () => undefined, packages: false });
  const paths = moved.map(({ path }) => path);
  expect([paths, failed]).toEqual([
    isMoved ? [index, join(tree, "node_modules/f/.git")] : [],
    isMoved ? [] : [`${index} names the same entries too often to be read, so the next start looks again`],
  ]);
  expect([index!, file].map((path) => existsSync(path))).toEqual([isThere, isThere]);
});

it("tells the next session what was moved away and waited for an answer when its process was killed", () => {
  const [folder, tree] = [scratchFolder(), scratchFolder()];
  const state = join(folder, "ada");
  const [asked, answered, moving] = ["asked", "answered", "moving"].map((name, at) => ({
    path: join(tree, name),
    kept: join(state, "put-aside", `${at}-${name}`),
  }));
  mkdirSync(join(state, "put-aside"), { recursive: true });
  const record = commandRecord(state);
  const end = record.begin([tree], nothing);
  for (const aside of [asked!, answered!, moving!]) record.moving(aside);
  for (const { kept } of [asked!, answered!]) writeFileSync(kept, "");
  end();
  record.settled(answered!);
  writeFileSync(join(tree, ".envrc"), "by the person, after the command");
  const file = join(state, "running.json");
  const { process, ...rest } = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...rest, process: { ...process, pid: 99_999_999 } }));
  const classOf = () => ({ visibility: "readOnly" as const, rules: true });
  const places = { writable: [tree], classOf, packages: false };
  const found = [putAsideInterrupted(folder, places), putAsideInterrupted(folder, places)];
  expect([found, existsSync(join(tree, ".envrc"))]).toEqual([[{ ...nothingLeft, moved: [asked] }, nothingLeft], true]);
});

it("is gone when the last question is answered after the command", () => {
  const folder = scratchFolder();
  const record = commandRecord(folder);
  const end = record.begin(["/repo"], nothing);
  record.moving({ path: "/repo/.envrc", kept: "/kept" });
  end();
  const whileAsked = existsSync(join(folder, "running.json"));
  record.settled({ path: "/repo/.envrc", kept: "/kept" });
  expect([whileAsked, existsSync(join(folder, "running.json"))]).toEqual([true, false]);
});

it("what was a bare repository before an interrupted command is still one for the next start", async () => {
  const [folder, tree] = [scratchFolder(), realpathSync(scratchFolder())];
  const state = join(folder, "ada");
  for (const path of [state, join(tree, "p.git/objects"), join(tree, "p.git/refs")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(tree, "p.git/HEAD"), "ref: refs/heads/main\n");
  commandRecord(state).begin([tree], { ...nothing, entries: [{ path: join(tree, "p.git") } as Found], bare: [join(tree, "p.git")] });
  const file = join(state, "running.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(/"pid":\d+/, '"pid":99999999'));
  mkdirSync(join(tree, "p.git/hooks")); // by the command
  const policy = { ...(await policyFor(tree)), ...ownFolders() };
  const places = { writable: [tree], classOf: pathClasses(policy), packages: false, ownFolders: policy.ownFolders };
  const { moved, failed } = putAsideInterrupted(folder, places);
  expect([moved.map(({ path }) => path), failed]).toEqual([[join(tree, "p.git/hooks")], []]);
});
