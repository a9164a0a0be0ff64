// A scratch copy of a repository for the demo: in a folder of its own below the system's temporary folder, with git history from its first
// commit.
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { ScratchRepository } from "../../team/demo.ts";
import { diskErrorWords, errorCode, errorText } from "../../wording/error-text.ts";
import { run } from "../processes/run.ts";
import { codeOf } from "../system-error.ts";
import { gitInOwnRepository } from "./own-git.ts";

const testDeadlineMs = 60_000;

/** Of the commits that a team or a batch makes there. */
const author = { "user.name": "tool demo", "user.email": "demo@localhost", "commit.gpgsign": "false" };

/** Copies `source`. If git is missing or the copy fails, throws and leaves nothing behind. */
export async function scratchRepository(source: string): Promise<ScratchRepository> {
  const parent = temporaryFolder(tmpdir());
  const remove = () => rmSync(parent, { recursive: true, force: true });
  const path = join(parent, basename(source));
  const git = (...args: string[]) => gitInOwnRepository(path, args, "Cannot prepare the demo");
  try {
    chmodSync(parent, 0o700);
    cpSync(source, path, { recursive: true });
    await git("init", "--quiet");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "The program as it was left");
    for (const [key, value] of Object.entries(author)) await git("config", key, value);
  } catch (error) {
    remove();
    throw error;
  }
  return {
    path,
    async test(signal) {
      const result = await run([process.execPath, "--test"], { cwd: path, timeoutMs: testDeadlineMs, signal });
      return { green: result.code === 0, summary: testSummary(result.stdout) };
    },
    take: async (branch) => void (await git("read-tree", "-m", "-u", "HEAD", branch)),
    async changes() {
      await git("add", "--all");
      return git("diff", "--cached", "--shortstat");
    },
    forget({ projects, name, keep }) {
      for (const project of existsSync(projects) ? readdirSync(projects) : []) {
        const folder = join(projects, project);
        if (project.startsWith(name) || beganBelow(folder, parent)) removeBut(folder, keep);
      }
    },
    remove,
  };
}

function temporaryFolder(folder: string): string {
  try {
    removeAbandoned(folder);
    return mkdtempSync(join(folder, `tool-demo-${process.pid}-`));
  } catch (error) {
    const code = errorCode(error);
    const why = code === "ENOENT" ? "there is no such folder" : (diskErrorWords(code) ?? errorText(error));
    throw new Error(`Cannot make a temporary folder in ${folder}: ${why}. Set TMPDIR to a folder in which you may write.`);
  }
}

/** Removes the copies of demos that were killed: their process is gone, and no other one works in them, such as the lead of a team. */
function removeAbandoned(folder: string): void {
  const copies = readdirSync(folder).filter((name) => isGone(Number(/^tool-demo-(\d+)-\w+$/.exec(name)?.[1])));
  const used = copies.length > 0 ? foldersInUse() : undefined;
  if (used === undefined) return; // without a list of processes nothing is known to be unused
  for (const copy of copies.map((name) => join(folder, name))) {
    if (!used.some((path) => `${path}/`.startsWith(`${copy}/`))) rmSync(copy, { recursive: true, force: true });
  }
}

function isGone(pid: number): boolean {
  try {
    if (Number.isInteger(pid)) process.kill(pid, 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH"; // EPERM: a process of somebody else
  }
}

/** The working directories of all processes of this user; undefined on systems that do not list them. */
function foldersInUse(): string[] | undefined {
  if (!existsSync("/proc/self/cwd")) return undefined;
  return readdirSync("/proc").flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readlinkSync(`/proc/${pid}/cwd`)] : [];
    } catch {
      return []; // it has ended, or belongs to somebody else
    }
  });
}

/** A folder is removed once it is empty. */
/** Whether its sessions began in a folder below: the name of a long path is cut. */
function beganBelow(project: string, parent: string): boolean {
  return readdirSync(project).some((name) => {
    if (!name.endsWith(".jsonl")) return false;
    const [first = ""] = readFileSync(join(project, name), "utf8").split("\n", 1);
    return first.includes(`"cwd":${JSON.stringify(`${parent}/`).slice(0, -1)}`);
  });
}

function removeBut(folder: string, keep: readonly string[]): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeBut(path, keep);
    else if (!keep.includes(entry.name)) rmSync(path, { force: true });
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** `53 tests, 53 pass, 0 fail` from the runner's summary lines. */
function testSummary(output: string): string {
  const figure = (name: string) => new RegExp(`^[#ℹ] ${name} (\\d+)$`, "m").exec(output)?.[1] ?? "?";
  return `${figure("tests")} tests, ${figure("pass")} pass, ${figure("fail")} fail`;
}
