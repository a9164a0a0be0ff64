// A Slurm of the test's own on this machine: one controller and two nodes, with ports, sockets and a key of their own, as this user. Nothing of
// the machine's own Slurm is read or written.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "./place-world.ts";

export type Job = { id: string; node: string; state: string };

export type SlurmCluster = {
  /** With this, `srun` and its like mean this cluster. */
  env: { SLURM_CONF: string };
  nodes: readonly [string, string];
  /** Runs a command such as `scontrol`, and returns what it prints. */
  run(program: string, ...args: string[]): string;
  jobs(): Job[];
  /** The process of Slurm's that runs a job on its node. */
  stepOf(job: Job): number | undefined;
  /** What that has started. */
  tasksOf(job: Job): number[];
  /** The command lines of these, and of all that they have started. */
  commandsOf(job: Job): string[];
  /** Ends everything, and removes it. */
  stop(): Promise<void>;
};

const nodes = ["n1", "n2"] as const;

/** Each node has room for so many jobs of the recipe in docs/places.md: four CPUs and 8 GiB. */
export const slotsOfNode = 6;

export async function slurmCluster(): Promise<SlurmCluster> {
  const folder = mkdtempSync("/tmp/tool-s-"); // the path of a socket may have 107 bytes
  const at = (name: string) => join(folder, name);
  const env = { SLURM_CONF: at("slurm.conf") };
  mkdirSync(at("munge"), { mode: 0o700 });
  for (const name of ["state", "spool"]) mkdirSync(at(name));
  writeFileSync(at("munge/key"), randomBytes(128), { mode: 0o600 });
  writeFileSync(at("plugstack.conf"), "");
  writeFileSync(env.SLURM_CONF, settings(folder, [await freePort(), await freePort(), await freePort()]));
  const daemons: ChildProcess[] = [];
  const daemon = (program: string, ...args: string[]) => {
    const log = openSync(at(`${daemons.length}.log`), "w");
    daemons.push(spawn(`/usr/sbin/${program}`, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ["ignore", log, log] }));
  };
  const munge = ["key", "socket", "log", "pid", "seed"].map(
    (what) => `--${what === "socket" ? what : `${what}-file`}=${at(`munge/${what}`)}`,
  );
  daemon("munged", "--foreground", "--force", ...munge);
  await until(() => readdirSync(at("munge")).includes("socket"));
  daemon("slurmctld", "-D", "-i");
  for (const node of nodes) daemon("slurmd", "-D", "-N", node);
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: "utf8", env: { ...process.env, ...env }, stdio: "pipe" });
  const jobs = () =>
    run("squeue", "--noheader", "--format=%i %T %N")
      .split("\n")
      .flatMap((line) => {
        const [id = "", state = "", node = ""] = line.split(" ");
        return id === "" ? [] : [{ id, state, node }];
      });
  const stepOf = ({ id }: Job) => stepsIn(folder).find(({ title }) => title.startsWith(`slurmstepd: [${id}.0]`))?.pid;
  const cluster: SlurmCluster = {
    env,
    nodes,
    run,
    jobs,
    stepOf,
    tasksOf(job) {
      const step = stepOf(job);
      return step === undefined ? [] : childrenOf(step);
    },
    commandsOf: (job) => descendantsOf(cluster.tasksOf(job)).map(commandOf),
    async stop() {
      for (const { pid } of stepsIn(folder)) process.kill(pid, "SIGKILL");
      for (const each of daemons) each.kill("SIGKILL");
      const running = daemons.filter((each) => each.exitCode === null && each.signalCode === null);
      await Promise.all(running.map((each) => new Promise((done) => each.once("exit", done))));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  try {
    await until(() => isReady(cluster));
  } catch (error) {
    const said = daemons.map((_, at) => readFileSync(join(folder, `${at}.log`), "utf8").slice(-1_000)).join("\n");
    await cluster.stop();
    throw new Error(`Slurm did not start: ${said}`, { cause: error });
  }
  return cluster;
}

async function until(look: () => boolean): Promise<void> {
  for (const end = performance.now() + 30_000; !look(); await new Promise((done) => setTimeout(done, 50)))
    if (performance.now() > end) throw new Error(`Did not happen within 30 s: ${look.toString()}`);
}

function isReady({ run }: Pick<SlurmCluster, "run">): boolean {
  try {
    return run("sinfo", "--noheader", "--format=%D %T").trim() === `${nodes.length} idle`;
  } catch {
    return false; // the controller does not answer yet
  }
}

/** The steps of its jobs have left the daemons, and keep the folder that these were started in. */
function stepsIn(folder: string): { pid: number; title: string }[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const title = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, "utf8") : "";
      return title.startsWith("slurmstepd: ") && readlinkSync(`/proc/${pid}/cwd`) === folder ? [{ pid: Number(pid), title }] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return []; // it has ended meanwhile
  }
}

function descendantsOf(pids: readonly number[]): number[] {
  return pids.flatMap((pid) => [pid, ...descendantsOf(childrenOf(pid))]);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended meanwhile
  }
}

function settings(folder: string, [control, ...ports]: number[]): string {
  const { username } = userInfo();
  const host = hostname();
  const lines = {
    ClusterName: "test",
    SlurmctldHost: `${host}(127.0.0.1)`,
    SlurmctldPort: control,
    SlurmUser: username,
    SlurmdUser: username,
    AuthType: "auth/munge",
    CredType: "cred/munge",
    AuthInfo: `socket=${folder}/munge/socket`,
    StateSaveLocation: `${folder}/state`,
    SlurmdSpoolDir: `${folder}/spool/%n`,
    SlurmctldPidFile: `${folder}/slurmctld.pid`,
    SlurmdPidFile: `${folder}/slurmd-%n.pid`,
    PlugStackConfig: `${folder}/plugstack.conf`,
    ProctrackType: "proctrack/linuxproc",
    TaskPlugin: "task/none",
    JobAcctGatherType: "jobacct_gather/none",
    MpiDefault: "none",
    SelectType: "select/cons_tres",
    SelectTypeParameters: "CR_CPU_Memory",
    SlurmdParameters: "config_overrides", // what this machine has does not count
    ReturnToService: 2,
    KillWait: 1,
  };
  const cluster = Object.entries(lines).map(([key, value]) => `${key}=${value}`);
  const room = `CPUs=${4 * slotsOfNode} RealMemory=${8192 * slotsOfNode}`;
  const each = nodes.map((node, at) => `NodeName=${node} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports[at]} ${room}`);
  return [...cluster, ...each, `PartitionName=all Nodes=${nodes.join(",")} Default=YES LLN=YES MaxTime=INFINITE State=UP`, ""].join("\n");
}
