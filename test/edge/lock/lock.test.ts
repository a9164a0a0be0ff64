import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claimOf } from "../../../src/edge/lock/claims.ts";
import { lock } from "../../../src/edge/lock/lock.ts";
import { processes } from "../../../src/edge/processes/processes.ts";
import { eventually, scratchFolder } from "../../scratch.ts";

const locks = lock();
const self = processes().self();
const lockFolder = () => join(scratchFolder(), "team", "lock");

describe("withLock", () => {
  it("returns the result of the work, and creates the folder", async () => {
    const folder = lockFolder();
    expect(await locks.withLock(folder, () => locks.holder(folder))).toEqual({ kind: "alive", pid: process.pid });
    expect(locks.holder(folder)).toBe(undefined);
    expect(readdirSync(folder).sort()).toEqual(["g1", "g1.done"]);
  });

  it("gives the lock back if the work throws", async () => {
    const folder = lockFolder();
    const failing = locks.withLock(folder, () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect([locks.holder(folder), await locks.withLock(folder, () => "next")]).toEqual([undefined, "next"]);
  });

  it("serves all concurrent requests in one process, and leaves three generations", async () => {
    const folder = lockFolder();
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => locks.withLock(folder, () => number)))).toEqual(numbers);
    expect(readdirSync(folder).sort()).toEqual(["g18", "g18.done", "g19", "g19.done", "g20", "g20.done"]);
  });

  it("waits for its turn, and leaves no trace of having waited", async () => {
    const folder = lockFolder();
    const life = locks.claimForLife(folder);
    const waiting = locks.withLock(folder, () => "served");
    await eventually(() => readdirSync(folder).some((name) => name.startsWith("w")));
    if (life.ok) life.release();
    expect(await waiting).toBe("served");
    expect(readdirSync(folder).sort()).toEqual(["g1", "g1.done", "g2", "g2.done"]);
  });

  it("gives up in time, naming the holder", async () => {
    const folder = lockFolder();
    locks.claimForLife(folder);
    await expect(locks.withLock(folder, () => "never", { timeoutMs: 50 })).rejects.toMatchObject({
      name: "LockTimeout",
      message: `Cannot lock "${folder}" within 0.05 s: process ${process.pid} holds it. Wait for it, or end it`,
    });
    expect(readdirSync(folder)).toEqual(["g1"]);
  });

  it("does not guess about a holder on another machine, and says what to do", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "g7"), claimOf({ ...self, machine: "lab-7", pid: 12 }));
    const held = "process 12 of machine lab-7 holds it, which cannot be seen from here";
    await expect(locks.withLock(folder, () => "never", { timeoutMs: 20 })).rejects.toMatchObject({
      name: "LockTimeout",
      message: `Cannot lock "${folder}" within 0.02 s: ${held}. If it is gone, remove "${folder}/g7"`,
    });
  });

  it("never treats an unreadable claim as a free lock", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "g7"), "junk");
    const read = `its claim "${folder}/g7" cannot be read: it is not a claim. If no process holds it, remove that file`;
    await expect(locks.withLock(folder, () => "never", { timeoutMs: 20 })).rejects.toMatchObject({
      name: "LockTimeout",
      message: `Cannot lock "${folder}" within 0.02 s: ${read}`,
    });
    expect(() => locks.holder(folder)).toThrow(`Cannot tell who holds "${folder}": ${read}`);
    expect(() => locks.claimForLife(folder)).toThrow(`Cannot tell who holds "${folder}": ${read}`);
  });

  it("lets waiting processes go first, but not dead ones", async () => {
    const folder = scratchFolder();
    const [dead, living] = [`w0.${process.pid}.0.0`, `w0.${self.pid}.${self.start}.0`];
    writeFileSync(join(folder, dead), claimOf({ ...self, start: "0" }));
    expect(await locks.withLock(folder, () => readdirSync(folder).sort())).toEqual(["g1"]);
    writeFileSync(join(folder, living), claimOf(self));
    const queued = locks.withLock(folder, () => "after them");
    expect(readdirSync(folder).sort()).toEqual(["g1", "g1.done", living, `w1.${self.pid}.${self.start}.0`]);
    expect(await queued).toBe("after them");
  });

  it("fails at once if the folder cannot be created", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "file"), "");
    await expect(locks.withLock(join(folder, "file", "lock"), () => "never")).rejects.toThrow("ENOTDIR");
  });
});

describe("claimForLife", () => {
  it("holds until it is given back, and giving back twice does not harm the next holder", () => {
    const folder = lockFolder();
    const first = locks.claimForLife(folder);
    expect(locks.claimForLife(folder)).toEqual({ ok: false, holder: { kind: "alive", pid: process.pid } });
    if (first.ok) first.release();
    expect(locks.holder(folder)).toBe(undefined);
    const second = locks.claimForLife(folder);
    if (first.ok) first.release();
    expect([first.ok, second.ok, locks.holder(folder)]).toEqual([true, true, { kind: "alive", pid: process.pid }]);
    expect(readdirSync(folder).sort()).toEqual(["g1", "g1.done", "g2"]);
  });

  it("does not queue behind waiting processes", () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, `w0.${self.pid}.${self.start}.0`), claimOf(self));
    expect(locks.claimForLife(folder)).toEqual({ ok: true, release: expect.any(Function) });
  });

  it("names a holder that cannot be seen", () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "g1"), claimOf({ ...self, namespace: "pid:[1]", pid: 12 }));
    const elsewhere = { kind: "elsewhere", where: "process 12 of the pid namespace pid:[1]" };
    expect([locks.claimForLife(folder), locks.holder(folder)]).toEqual([{ ok: false, holder: elsewhere }, elsewhere]);
  });
});
