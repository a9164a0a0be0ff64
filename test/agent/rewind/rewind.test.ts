// Rewinding files on a real disk, with a kill at each step.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Input, TranscriptEvent } from "../../../src/agent/events.ts";
import {
  digestOf,
  type FileVersions,
  openFileVersions,
  type VersionLimits,
  type VersionsDisk,
} from "../../../src/agent/rewind/file-versions.ts";
import { keepingDisk } from "../../../src/agent/rewind/keeping-disk.ts";
import { planRewind, putFilesBack, type RewoundEvent, rewoundEvent, unfinishedRewind } from "../../../src/agent/rewind/rewind.ts";
import { disk } from "../../../src/edge/disk/disk.ts";
import { files } from "../../../src/edge/disk/files.ts";
import { ignorePatterns } from "../../../src/permissions/paths/ignore-patterns.ts";
import type { RealDisk } from "../../../src/tools/disk.ts";
import { failing } from "../../failing-calls.ts";
import { scratchFolder } from "../../scratch.ts";
import { type Tree, tree } from "../../tools/tree.ts";
import { typed } from "../agent-kit.ts";
import { type Alive, mortal } from "./mortal.ts";

const real = files({ ignorePatterns, ripgrep: false });
const lines = ["2026-01-01T00:00:01.000Z", "2026-01-01T00:00:02.000Z"];
const events: TranscriptEvent[] = lines.map((at) => ({ type: "input", inputs: [typed(`line ${at}`)], at }));
const point = { at: lines[0]!, text: "" };

/** A disk in memory, which answers at once. */
function memoryDisk(): VersionsDisk {
  const all = new Map<string, { text: string; at: number }>();
  let at = 0;
  const put = (path: string, text: string) => void all.set(path, { text, at: ++at });
  return {
    read: (path) => (all.has(path) ? Buffer.from(all.get(path)!.text) : undefined),
    replace: put,
    append: (path, text) => put(path, `${all.get(path)?.text ?? ""}${text}`),
    list: (folder) => [...all.keys()].map((path) => path.slice(folder.length + 1)),
    makeFolder: () => {},
    remove: (path) => void all.delete(path),
    size: (path) => all.get(path)?.text.length,
    changedAt: (path) => new Date(all.get(path)?.at ?? 0),
  };
}

type Workplace = { place: Tree; folder: string; store: VersionsDisk; alive?: Alive; limits?: VersionLimits };

function opened({ place, folder, store, alive = { calls: 0, until: Number.POSITIVE_INFINITY }, limits }: Workplace) {
  const versions = openFileVersions(mortal(store, alive), folder, limits);
  const kept = { disk: keepingDisk(mortal<RealDisk>(real, alive), versions), versions };
  const write = async (name: string, text: string) => {
    const found = await kept.disk.read(place.at(name));
    const expected = found.kind === "file" ? found.version : undefined;
    return kept.disk.write(place.at(name), { bytes: Buffer.from(text), expected });
  };
  const back = async () => {
    const planned = await planRewind(point, { events, noted: [], kept, cwd: place.path });
    const event = rewoundEvent(planned, { cwd: place.path, at: "2026-01-01T00:00:03.000Z" });
    return { event, failed: await putFilesBack(event, kept) };
  };
  return { kept, versions, write, back };
}

function workplace(store: VersionsDisk = memoryDisk()): Workplace {
  const place = tree({ "a.txt": "a1", "b.txt": "b1" });
  onTestFinished(place.remove);
  return { place, folder: join(scratchFolder(), "versions"), store };
}

async function work({ versions, write }: ReturnType<typeof opened>): Promise<void> {
  versions.lineBegins(lines[0]!);
  await write("a.txt", "a2");
  await write("sub/new.txt", "n1");
  versions.lineBegins(lines[1]!);
  await write("a.txt", "a3");
  await write("b.txt", "b2");
}

const asItWas = ({ place }: Workplace) => [place.text("a.txt"), place.text("b.txt"), existsSync(place.at("sub/new.txt"))];
const before = ["a1", "b1", false];

it("restores files and removes new ones, readable only by their user, and can be repeated", async () => {
  const here = workplace(disk);
  const session = opened(here);
  await work(session);
  expect(asItWas(here)).toEqual(["a3", "b2", true]);
  const { event, failed } = await session.back();
  expect([failed, event.left, asItWas(here)]).toEqual([[], [], before]);
  expect(event.text).toBe(
    "[The person went back to this point of the conversation. Files put back as they were then: a.txt, sub/new.txt, b.txt. Read a file again before you rely on it.]",
  );
  expect([
    statSync(here.folder).mode & 0o777,
    ...readdirSync(here.folder).map((name) => statSync(join(here.folder, name)).mode & 0o777),
  ]).toEqual([0o700, ...readdirSync(here.folder).map(() => 0o600)]);
  await work(opened(here));
  expect((await opened(here).back()).failed).toEqual([]);
  expect(asItWas(here)).toEqual(before);
});

it("restores all files even if the process was killed while writing them", async () => {
  let until = 0;
  for (let finished = false; !finished; until++) {
    const here = workplace();
    const alive = { calls: 0, until };
    await Promise.resolve()
      .then(() => work(opened({ ...here, alive })))
      .catch(() => undefined);
    finished = alive.calls <= until;
    const { event, failed } = await opened(here).back();
    expect({ until, left: event.left, failed, now: asItWas(here) }).toEqual({ until, left: [], failed: [], now: before });
  }
  expect(until).toBeGreaterThan(30);
});

it("ends a rewind that was killed on its way when the session goes on, once", async () => {
  let until = 0;
  for (let finished = false; !finished; until++) {
    const here = workplace();
    const first = opened(here);
    await work(first);
    const planned = await planRewind(point, { events, noted: [], kept: first.kept, cwd: here.place.path });
    const event: RewoundEvent = rewoundEvent(planned, { cwd: here.place.path, at: "2026-01-01T00:00:03.000Z" });
    const alive = { calls: 0, until };
    await Promise.resolve()
      .then(() => putFilesBack(event, opened({ ...here, alive }).kept))
      .catch(() => undefined);
    finished = alive.calls <= until;
    const next = opened(here);
    const unfinished = unfinishedRewind([...events, event], next.versions);
    expect(unfinished === undefined).toBe(finished);
    expect(unfinished ? await putFilesBack(unfinished, next.kept) : []).toEqual([]);
    expect({ until, now: asItWas(here) }).toEqual({ until, now: before });
    expect(unfinishedRewind([...events, event], opened(here).versions)).toBeUndefined();
  }
  expect(until).toBeGreaterThan(20);
});

it("names and leaves alone files that others changed, removed, replaced by a folder or marked read-only", async () => {
  const here = workplace();
  const { place } = here;
  const session = opened(here);
  await work(session);
  place.put("a.txt", "theirs");
  rmSync(place.at("sub/new.txt"));
  const changed = await session.back();
  expect(changed.event.left).toEqual([{ path: place.at("a.txt"), why: "something else has changed it since" }]);
  expect(changed.event.text).toContain("Files left as they are now: a.txt (something else has changed it since).");
  expect([place.text("a.txt"), place.text("b.txt")]).toEqual(["theirs", "b1"]);

  const locked = workplace();
  const next = opened(locked);
  await work(next);
  chmodSync(locked.place.at("a.txt"), 0o444);
  chmodSync(locked.place.at("sub/new.txt"), 0o444);
  rmSync(locked.place.at("b.txt"));
  locked.place.put("b.txt/inside", "x");
  const { event, failed } = await next.back();
  expect(failed.map(({ path, why }) => [path.slice(locked.place.path.length), why])).toEqual([
    ["/a.txt", "it is marked read-only"],
    ["/sub/new.txt", "it is marked read-only"],
  ]);
  expect(event.left).toEqual([{ path: locked.place.at("b.txt"), why: "it is a folder now" }]);
});

it("leaves alone what was too large to be kept, what had to make room, and what a full disk did not take", async () => {
  const here = { ...workplace(), limits: { largest: 10, most: 20 } };
  here.place.put("large.txt", "x".repeat(11));
  const session = opened(here);
  session.versions.lineBegins(lines[0]!);
  await session.write("large.txt", "small");
  await session.write("a.txt", "a2");
  await session.write("b.txt", "b2 is next");
  await session.write("b.txt", "b3");
  const { event } = await session.back();
  const why = "what it held then is not kept any more, or was too large";
  expect(event.left.map(({ path, why: said }) => [path, said])).toEqual([
    [here.place.at("large.txt"), why],
    [here.place.at("a.txt"), why],
  ]);

  const full = workplace(disk);
  const refused = opened(full);
  refused.versions.lineBegins(lines[0]!);
  failing("openSync", { code: "ENOSPC", when: (path) => path.startsWith(full.folder) });
  expect((await refused.write("a.txt", "a2")).kind).toBe("written");
  expect([full.place.text("a.txt"), refused.versions.changes()]).toEqual(["a2", []]);
});

it("names a file that a call has changed and of which nothing was kept", async () => {
  const here = workplace();
  const { kept } = opened(here);
  const edited: TranscriptEvent = {
    type: "tool_ended",
    id: "1",
    name: "Edit",
    subject: "a.txt",
    text: "",
    isError: false,
    summary: "",
    touched: ["a.txt"],
    ms: 0,
    at: lines[1]!,
  };
  const planned = await planRewind(point, { events: [...events, edited], noted: [], kept, cwd: here.place.path });
  expect(planned.left).toEqual([{ path: here.place.at("a.txt"), why: "what it held then was not kept" }]);
  const without = await planRewind(point, { events: [...events, edited], noted: [], kept: undefined, cwd: here.place.path });
  expect(without.left).toEqual(planned.left);
});

it("counts the commands that ran since, the person's own among them, and none that was not begun", async () => {
  const bash = (summary: string): TranscriptEvent => ({
    type: "tool_ended",
    id: summary,
    name: "Bash",
    subject: "",
    text: "",
    isError: false,
    summary,
    touched: [],
    ms: 0,
    at: lines[1]!,
  });
  const own = (command: string): Input => ({ source: { kind: "command", command }, text: "", shown: "" });
  const commands = async (since: TranscriptEvent[], noted: Input[] = []) => {
    const first: TranscriptEvent = { type: "input", inputs: [own("before it"), typed("line")], at: lines[0]! };
    return (await planRewind(point, { events: [first, ...since], noted, kept: undefined, cwd: "/repo" })).commands;
  };
  expect(await commands(["denied", "refused", "bad input", "not run"].map(bash))).toBe(0);
  expect(await commands([bash("exit 0"), bash("exit 1"), bash("interrupted")])).toBe(3);
  const later: TranscriptEvent = { type: "input", inputs: [own("ls"), typed("next")], at: lines[1]! };
  expect(await commands([later], [own("pwd"), typed("a note")])).toBe(2);
});

it("reads what was kept in spite of a line that a kill has torn, and no content that is not its own", () => {
  const { place, folder } = workplace();
  const path = place.at("a.txt");
  const begin = (versions: FileVersions, text: string) => versions.begin({ path, before: Buffer.from(text), after: undefined })(true);
  begin(openFileVersions(disk, folder), "one");
  disk.append(join(folder, "changes.jsonl"), '{"kind":"change","cha');
  begin(openFileVersions(disk, folder), "two");
  const versions = openFileVersions(disk, folder);
  const [one, two] = ["one", "two"].map((text) => digestOf(Buffer.from(text)));
  expect(versions.changes().map(({ before: digest, written }) => [digest, written])).toEqual([
    [one, true],
    [two, true],
  ]);
  expect(versions.content(one!)?.toString()).toBe("one");
  disk.replace(join(folder, one!), Buffer.from("else").toString("base64"));
  expect([versions.content(one!), versions.content("0".repeat(64))]).toEqual([undefined, undefined]);
  expect(
    readFileSync(join(folder, "changes.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{")).length,
  ).toBe(5);
});
