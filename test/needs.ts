// Parts that the product works without and that a test machine may lack. A test that needs one skips without it and prints why; nothing
// else is a reason to skip. `.ci/run` also runs without some of them the files that those could touch.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestRunner } from "vitest";
import { ptyAvailable } from "../src/edge/display/pty.ts";
import { helperProgram } from "../src/edge/processes/helper-programs.ts";
import { tryBwrap } from "../src/edge/shell/sandbox/bwrap.ts";
import { asUser } from "./ordinary-user.ts";
import { inContainer } from "./places/place-world.ts";
import { mount, unmount } from "./scratch.ts";

export type Part = keyof typeof reasons;

/** Whether the test must skip: `it.skipIf(await lacks("sandbox"))`. Says why. */
export async function lacks(...parts: Part[]): Promise<boolean> {
  for (const part of parts) {
    const reason = await reasons[part]();
    if (reason === undefined) continue;
    console.warn(`Skipped, without ${part}: ${reason}`);
    return true;
  }
  return false;
}

/** For a helper that needs tmux: skips the test that called it, and says why. */
export function skipWithoutTmux(): void {
  const reason = reasons.tmux();
  if (reason === undefined) return;
  console.warn(`Skipped, without tmux: ${reason}`);
  TestRunner.getCurrentTest()?.context.skip(reason);
}

/** Why each part cannot be used here; undefined if it can. */
const reasons = {
  sandbox: async () => {
    const trial = await tryBwrap();
    return trial.kind === "works" ? undefined : trial.why;
  },
  ripgrep: () => missing("rg", "--version"),
  tmux: () => missing("tmux", "-V"),
  pty: async () => ((await ptyAvailable()) ? undefined : "node-pty cannot be loaded"),
  gh: () => {
    const gh = helperProgram("gh");
    return gh.kind === "found" ? missing(gh.path, "--version") : gh.why;
  },
  sshd: () => (existsSync("/usr/sbin/sshd") && !missing("ssh", "-V") ? undefined : "openssh-server is not installed"),
  slurm: () => {
    const programs = ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/munged", "/usr/bin/srun"];
    const absent = programs.filter((path) => !existsSync(path));
    return absent.length === 0 ? undefined : `${absent.join(" and ")}: not installed`;
  },
  podman: () => {
    const folder = mkdtempSync(join(tmpdir(), "tool-podman-"));
    const [program = "", ...args] = inContainer(folder);
    const reason = missing(program, ...args, "true");
    rmSync(folder, { recursive: true, force: true });
    return reason;
  },
  screen: () => missing("screen", "--version"),
  kitty: () => missing("kitty", "--version") ?? missing("Xvfb", "-help"),
  chromium: () => missing("chromium", "--version"),
  openssl: () => missing("openssl", "version"),
  "Python 3.10": () => missing("python3", "-c", "import sys; assert sys.version_info >= (3, 10)"),
  "an ordinary user": () => (process.getuid?.() === 0 ? "root may do everything" : undefined),
  "a sandbox of an ordinary user": () =>
    missing(...asUser, "bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true"),
  root: () => (process.getuid?.() === 0 ? undefined : "only root gives files to other users"),
  "a file system of its own": () => {
    const folder = mkdtempSync(join(tmpdir(), "tool-mount-"));
    const mounted = mount(folder, "size=64k");
    if (mounted) unmount(folder);
    rmSync(folder, { recursive: true });
    return mounted ? undefined : "mounting a tmpfs is not permitted to this user";
  },
  "a network namespace of its own": () => missing("unshare", ...(process.getuid?.() === 0 ? [] : ["--user"]), "--net", "true"),
  "a process namespace of its own": () => missing(...inOwnNamespace, "true"),
  Linux: () => (process.platform === "linux" ? undefined : `this is ${process.platform}`),
} satisfies Record<string, () => string | undefined | Promise<string | undefined>>;

/** Put before a command line, runs it in a process namespace of its own. */
export const inOwnNamespace = ["unshare", "--fork", "--pid", "--mount-proc", "--kill-child"] as const;

function missing(...[program = "", ...args]: string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (error) return `${program} cannot be run (${error.message})`;
  return status === 0 ? undefined : stderr.trim() || `${program} ended with ${status}`;
}
