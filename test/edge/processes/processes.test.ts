import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Processes, processes } from "../../../src/edge/processes/processes.ts";
import { psTable } from "../../../src/edge/processes/ps.ts";
import { lacks } from "../../needs.ts";
import { eventually, scratchFolder, start } from "../../scratch.ts";

const tables: [string, () => Processes][] = [
  ["the system's own table", () => processes()],
  ["ps", () => processes(psTable())],
];

const noPs = spawnSync("ps").error !== undefined;
if (noPs) console.warn("Skipped: there is no ps here");

describe.each(noPs ? tables.slice(0, 1) : tables)("by %s, a process", (_name, open) => {
  it("is distinguished from all others, and lives", () => {
    const table = open();
    const { pid } = start(["sleep", "600"]);
    expect(table.identify(process.pid)).toEqual(table.self());
    expect(table.identify(pid)).toEqual({ ...table.self(), pid, start: expect.stringMatching(/\d/) });
    expect(table.liveness(table.identify(pid)!)).toEqual({ kind: "alive", stopped: false });
  });

  it("is alive and stopped after SIGSTOP", async () => {
    const table = open();
    const { child, pid } = start(["sleep", "600"]);
    const identity = table.identify(pid)!;
    child.kill("SIGSTOP");
    await eventually(() => JSON.stringify(table.liveness(identity)) === '{"kind":"alive","stopped":true}');
    child.kill("SIGCONT");
    await eventually(() => JSON.stringify(table.liveness(identity)) === '{"kind":"alive","stopped":false}');
  });

  it("is gone after SIGKILL", async () => {
    const table = open();
    const { child, pid, ended } = start(["sleep", "600"]);
    const identity = table.identify(pid)!;
    child.kill("SIGKILL");
    await ended;
    expect([table.liveness(identity), table.isAlive(identity), table.identify(pid)]).toEqual([{ kind: "gone" }, false, undefined]);
  });

  it("is gone when it is a zombie", async () => {
    const table = open();
    // The shell turns into a program that never waits for its child.
    const parent = start(["sh", "-c", "sleep 600 & echo $!; exec sleep 600"]);
    const pid = Number(await eventually(() => /^(\d+)\n/.exec(parent.output())?.[1]));
    const identity = table.identify(pid)!;
    process.kill(pid, "SIGKILL");
    await eventually(() => !table.isAlive(identity));
    expect([process.kill(pid, 0), table.identify(pid)]).toEqual([true, undefined]);
  });

  it("is gone if its number belongs to another", () => {
    const table = open();
    expect(table.liveness({ ...table.self(), start: "before" })).toEqual({ kind: "gone" });
  });

  it("is gone with its boot, and not judged from another machine or namespace", () => {
    const table = open();
    const self = table.self();
    expect(table.liveness({ ...self, boot: "before", namespace: "other" })).toEqual({ kind: "gone" });
    expect(table.liveness({ ...self, machine: "lab-7", boot: "other" })).toEqual({ kind: "elsewhere", where: "machine lab-7" });
    expect(table.liveness({ ...self, namespace: "pid:[1]" })).toEqual({ kind: "elsewhere", where: "the pid namespace pid:[1]" });
  });

  it("is signalled with its whole group, only while it is that process, and never with our own group", async () => {
    const table = open();
    const { pid, ended, output } = start(["sh", "-c", "sleep 600 & echo $!; wait"], { detached: true });
    const below = Number(await eventually(() => /^(\d+)\n/.exec(output())?.[1]));
    const [found, child] = [table.identify(pid)!, table.identify(below)!];
    expect(table.signalGroup({ pid, start: "before" }, "SIGKILL")).toBe(false);
    expect(table.signalGroup(table.identify(start(["sleep", "600"]).pid)!, "SIGKILL")).toBe(false);
    expect(table.signalGroup(found, "SIGTERM")).toBe(true);
    expect(await ended).toEqual({ code: null, signal: "SIGTERM" });
    await eventually(() => !table.isAlive(child));
    expect(table.signalGroup(found, "SIGTERM")).toBe(false);
  });
});

describe.skipIf(await lacks("Linux"))("on Linux", () => {
  it("the identity is what the kernel says", () => {
    expect(processes().self()).toEqual({
      machine: expect.stringMatching(/./),
      boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
      namespace: readlinkSync("/proc/self/ns/pid"),
      pid: process.pid,
      start: expect.stringMatching(/^\d+$/),
    });
  });

  it("a program's name cannot imitate other fields of its entry", () => {
    const table = processes();
    const program = join(scratchFolder(), ") Z 1 2 (");
    symlinkSync(process.execPath, program);
    const { pid } = start([program, "-e", "setInterval(() => {}, 1e6)"]);
    expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z 1 2 (");
    expect(table.identify(pid)).toEqual({ ...table.self(), pid, start: expect.stringMatching(/^\d+$/) });
  });

  it("processes are found by their owner, with their group", async () => {
    const table = processes();
    const session = `session-${process.pid}`;
    const [ann, bo] = [`${session}:ann`, `${session}:bo`].map((owner) =>
      start(["sleep", "600"], { env: { TOOL_OWNER: owner }, detached: true }),
    );
    start(["sleep", "600"], { env: { TOOL_OWNER: "other:ann", NOT_TOOL_OWNER: `${session}:ann` } });
    const byPid = (a: { group: number }, b: { group: number }) => a.group - b.group;
    const expected = [
      { identity: table.identify(ann!.pid), group: ann!.pid, owner: `${session}:ann` },
      { identity: table.identify(bo!.pid), group: bo!.pid, owner: `${session}:bo` },
    ].sort(byPid);
    await eventually(() => table.owned((owner) => owner.startsWith(`${session}:`)).length === 2);
    expect(table.owned((owner) => owner.startsWith(`${session}:`)).sort(byPid)).toEqual(expected);
    expect(table.owned((owner) => owner === `${session}:bo`)).toEqual(expected.filter(({ owner }) => owner === `${session}:bo`));
  });
});
