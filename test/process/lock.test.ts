import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProcessIdentity } from "../../src/board/disk.ts";
import { lock } from "../../src/edge/lock/lock.ts";
import { processes } from "../../src/edge/processes/processes.ts";
import { inOwnNamespace, lacks } from "../needs.ts";
import type { HoldWork } from "../programs/lock-holder.ts";
import { eventually, type Program, scratchFolder, smallDisk, start, startProgram } from "../scratch.ts";
import { judge } from "./lock-log.ts";
import { race } from "./lock-race.ts";

const locks = lock();

/** A process that already holds the lock, and a function that lets it continue. */
async function holding(folder: string): Promise<Program & { letGo: () => void }> {
  const until = join(scratchFolder(), "go");
  const program = startProgram("lock-holder", { kind: "lock", folder, until } satisfies HoldWork);
  await eventually(() => program.output() === "holding\n");
  return { ...program, letGo: () => writeFileSync(until, "") };
}

/** A process that has claimed the folder for its lifetime, or was refused. */
async function living(folder: string): Promise<Program & { answer: unknown }> {
  const program = startProgram("lock-holder", { kind: "life", folder } satisfies HoldWork);
  await eventually(() => program.output().endsWith("\n"));
  return { ...program, answer: JSON.parse(program.output()) };
}

describe("sixteen processes, some killed and stopped at any moment", () => {
  it("never hold the lock at once, and are all served", async () => {
    const result = await race({ processes: 16, until: { grants: 750 }, sectionMs: 1, deaths: 0.02, stops: true, seed: 1 });
    const { grants, faults, failures, served } = judge(result.log);
    expect({ faults, failures, served: Object.keys(served).length }).toEqual({ faults: [], failures: [], served: 16 });
    expect([grants >= 750, result.kills >= 5, result.stops >= 10]).toEqual([true, true, true]);
  });
});

describe("the judge of the log", () => {
  const logOf = (...lines: string[]) => lines.map((line, index) => `${index} ${line}\n`).join("");

  it("accepts a holder that leaves before the next, and one that was about to die", () => {
    const log = logOf(
      "1.0 ready",
      "1.0 enter 1",
      "1.0 leave 1",
      "2.0 enter 2",
      "2.0 killed",
      "1.0 enter 4",
      "1.0 dying",
      "2.1 enter 5",
      "2.1 leave 5",
    );
    expect(judge(log)).toEqual({ grants: 4, faults: [], failures: [], served: { 1: 2, 2: 2 } });
  });

  it("finds two at once, a dead process that writes, a number that does not rise, and a failure", () => {
    const faultsOf = (...lines: string[]) => judge(logOf(...lines)).faults;
    expect(faultsOf("1.0 enter 1", "2.0 enter 2", "1.0 killed")).toEqual(["2.0 entered at 2 while 1.0 was in at 1"]);
    expect(faultsOf("1.0 enter 1", "1.0 killed", "2.0 enter 2", "1.0 leave 1")).toEqual([
      "1.0 lives after it was replaced: leave 1",
      "1.0 left 1 without holding it",
    ]);
    expect(faultsOf("1.0 enter 2", "1.0 leave 2", "2.0 enter 2", "2.0 leave 2")).toEqual(["2.0 entered at 2 after 2"]);
    expect(faultsOf("junk")).toEqual(["not a line: 0 junk"]);
    expect(judge(logOf("1.0 failed Error: no")).failures).toEqual(["1.0: Error: no"]);
  });
});

describe("a holder", () => {
  it("that is killed is replaced, and its death loses nothing", async () => {
    const folder = scratchFolder();
    const { child, pid } = await holding(folder);
    const waiting = locks.withLock(folder, () => readdirSync(folder).sort());
    expect(locks.holder(folder)).toEqual({ kind: "alive", pid });
    child.kill("SIGKILL");
    expect(await waiting).toEqual(["g1", "g2"]);
  });

  it("that is a zombie is gone", async () => {
    const folder = scratchFolder();
    const work = JSON.stringify({ kind: "lock", folder, until: join(folder, "never") } satisfies HoldWork);
    const parent = start(["sh", "-c", '"$0" dist/test/lock-holder.js "$1" & echo $!; exec sleep 600', process.execPath, work]);
    await eventually(() => parent.output().includes("holding"));
    const pid = Number(/\d+/.exec(parent.output())?.[0]);
    expect(locks.holder(folder)).toEqual({ kind: "alive", pid });
    process.kill(pid, "SIGKILL");
    expect(await locks.withLock(folder, () => process.kill(pid, 0))).toBe(true);
  });

  it("that is stopped is never robbed: others are told its name, and continue after it", async () => {
    const folder = scratchFolder();
    const { child, pid, letGo, ended } = await holding(folder);
    const identity = processes().identify(pid)!;
    child.kill("SIGSTOP");
    await eventually(() => JSON.stringify(processes().liveness(identity)) === '{"kind":"alive","stopped":true}');
    letGo();
    await expect(locks.withLock(folder, () => "robbed", { timeoutMs: 300 })).rejects.toMatchObject({
      name: "LockTimeout",
      message: `Cannot lock "${folder}" within 0.3 s: process ${pid} holds it and is stopped. Resume it with "kill -CONT ${pid}", or end it`,
    });
    const waiting = locks.withLock(folder, () => "after it");
    child.kill("SIGCONT");
    expect([await waiting, await ended]).toEqual(["after it", { code: 0, signal: null }]);
  });

  it("with an unreadable claim is not robbed either", async () => {
    const folder = scratchFolder();
    const { letGo } = await holding(folder);
    const claim = readFileSync(join(folder, "g1"));
    writeFileSync(join(folder, "g1"), claim.subarray(0, 30));
    await expect(locks.withLock(folder, () => "robbed", { timeoutMs: 100 })).rejects.toMatchObject({ name: "LockTimeout" });
    writeFileSync(join(folder, "g1"), claim);
    letGo();
    expect(await locks.withLock(folder, () => "after it")).toBe("after it");
  });
});

describe("a claim for life", () => {
  it("refuses a second process, naming the first, and is free after its SIGKILL", async () => {
    const folder = join(scratchFolder(), "claim");
    const first = await living(folder);
    const refused = { ok: false, holder: { kind: "alive", pid: first.pid } };
    const second = await living(folder);
    expect([first.answer, second.answer, locks.claimForLife(folder)]).toEqual([{ ok: true }, refused, refused]);
    first.child.kill("SIGKILL");
    await first.ended;
    expect([locks.holder(folder), (await living(folder)).answer]).toEqual([undefined, { ok: true }]);
  });

  it("is given back at SIGTERM", async () => {
    const folder = join(scratchFolder(), "claim");
    const { child, ended } = await living(folder);
    child.kill("SIGTERM");
    expect([await ended, readdirSync(folder).sort()]).toEqual([{ code: null, signal: "SIGTERM" }, ["g1", "g1.done"]]);
  });
});

it.skipIf(await lacks("a process namespace of its own"))(
  "a holder in another pid namespace is refused by name, although its number may be any process's here",
  async () => {
    const folder = scratchFolder();
    const work = JSON.stringify({ kind: "life", folder } satisfies HoldWork);
    const program = start([...inOwnNamespace, process.execPath, "dist/test/lock-holder.js", work]);
    await eventually(() => program.output() === '{"ok":true}\n');
    const claim: ProcessIdentity = JSON.parse(readFileSync(join(folder, "g1"), "utf8"));
    expect(claim).toEqual({ ...processes().self(), namespace: claim.namespace, pid: 1, start: claim.start });
    const where = `process 1 of the pid namespace ${claim.namespace}`;
    expect([locks.holder(folder), locks.claimForLife(folder)]).toEqual([
      { kind: "elsewhere", where },
      { ok: false, holder: { kind: "elsewhere", where } },
    ]);
  },
);

describe.skipIf(await lacks("a file system of its own"))("on a disk that refuses", () => {
  it("a full disk prevents taking the lock, with nothing left behind", async () => {
    const { folder } = smallDisk("size=64k");
    const filler = join(folder, "filler");
    expect(() => writeFileSync(filler, "x".repeat(100_000))).toThrow("ENOSPC");
    await expect(locks.withLock(join(folder, "lock"), () => "taken")).rejects.toMatchObject({ code: "ENOSPC" });
    expect(readdirSync(join(folder, "lock"))).toEqual([]);
    rmSync(filler);
    expect(await locks.withLock(join(folder, "lock"), () => "taken")).toBe("taken");
  });

  it("a disk that fills up inside the lock does not keep it locked: the claim is emptied, but no claim prepared for later", async () => {
    const { folder } = smallDisk("size=64k,nr_inodes=12");
    const lockFolder = join(folder, "lock");
    await locks.withLock(lockFolder, () => {});
    const life = locks.claimForLife(lockFolder);
    const waiting = locks.withLock(lockFolder, () => locks.holder(lockFolder));
    fill(folder);
    if (life.ok) life.release();
    expect([locks.holder(lockFolder), statSync(join(lockFolder, "g2")).size]).toEqual([undefined, 0]);
    for (const name of readdirSync(folder).filter((name) => name.startsWith("filler"))) rmSync(join(folder, name));
    expect(await waiting).toEqual({ kind: "alive", pid: process.pid });
  });

  it("a disk that becomes read-only inside the lock ends the holder, so that others can continue", async () => {
    const { folder, remount } = smallDisk("size=64k");
    const { pid, output, ended, letGo } = await holding(folder);
    remount("ro");
    letGo();
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(output()).toContain(`tool: cannot give back "${folder}/g1": Error: EROFS: read-only file system`);
    expect([locks.holder(folder), processes().identify(pid)]).toEqual([undefined, undefined]);
    await expect(locks.withLock(folder, () => "taken")).rejects.toMatchObject({ code: "EROFS" });
    remount("rw");
    expect(await locks.withLock(folder, () => "taken")).toBe("taken");
  });
});

function fill(folder: string): void {
  expect(() => {
    for (let index = 0; ; index++) writeFileSync(join(folder, `filler-${index}`), "");
  }).toThrow("ENOSPC");
}
