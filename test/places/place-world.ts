// Real places for tests: the ports as the program has them, and sshd on loopback with its own keys, port and settings.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join, resolve } from "node:path";
import { placeProcess } from "../../src/edge/places/place-process.ts";
import { programPack } from "../../src/edge/places/program-pack.ts";
import { secondStep } from "../../src/edge/places/second-step.ts";
import { ifPossible } from "../../src/edge/system-error.ts";
import type { PlacePorts } from "../../src/places/ports.ts";
import { personsEnvironment } from "../../src/secrets/environment.ts";

let words = 0;

/** `env`: what the person has beside the environment of the test. The program that is sent is the built one. */
export function placePortsFor(env: Record<string, string> = {}): PlacePorts {
  const kept = personsEnvironment({ ...process.env, ...env });
  return {
    run: (argv) => placeProcess(argv, kept),
    program: () => programPack(resolve(".")),
    secondStep: secondStep(),
    newWord: () => `tool-${process.pid}-${++words}x`,
    monotonicMs: () => performance.now(),
    sleep: (ms) => new Promise((done) => setTimeout(() => done(undefined), ms).unref()),
    pause: (ms) => new Promise((done) => setTimeout(() => done(undefined), ms)),
  };
}

/**
 * A container whose root is a view of this machine's that nothing writes through; `folder`, for podman's own files and for the work, is its own.
 */
export function inContainer(folder: string): string[] {
  const own = ["--root", `${folder}/root`, "--runroot", `${folder}/run`, "--storage-driver", "vfs", "--cgroup-manager", "cgroupfs"];
  const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"];
  return [
    "podman",
    ...own,
    "--runtime",
    "runc",
    "run",
    "-i",
    "--rm",
    ...limits,
    "--network",
    "none",
    "-v",
    `${folder}:${folder}`,
    "--rootfs",
    "/:O",
  ];
}

export type Sshd = { command: string[]; stop(): void; filesWith(folder: string, texts: string[]): string[] };

/** Nothing of this machine's own sshd is read or written. `folder`: empty, and only this user's. */
export async function sshdOnLoopback(folder: string): Promise<Sshd> {
  const at = (name: string) => join(folder, name);
  for (const name of ["host", "user"]) execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(name)]);
  const port = await freePort();
  writeFileSync(at("authorized"), readFileSync(at("user.pub")), { mode: 0o600 });
  writeFileSync(at("known"), `[127.0.0.1]:${port} ${readFileSync(at("host.pub"), "utf8")}`);
  const settings = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${at("host")}`,
    `PidFile ${at("pid")}`,
    `AuthorizedKeysFile ${at("authorized")}`,
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication no",
  ];
  writeFileSync(at("config"), `${settings.join("\n")}\n`);
  if (process.getuid?.() === 0) execFileSync("mkdir", ["-p", "/run/sshd"]); // where its unprivileged part looks at nothing
  const sshd = spawn("/usr/sbin/sshd", ["-D", "-e", "-f", at("config")], { stdio: "ignore" });
  for (const deadline = performance.now() + 10_000; performance.now() < deadline && !(await answers(port)); )
    await new Promise((done) => setTimeout(done, 20));
  const own = ["-F", "/dev/null", "-i", at("user"), "-o", "IdentitiesOnly=yes", "-o", `UserKnownHostsFile=${at("known")}`];
  const user = execFileSync("id", ["-un"], { encoding: "utf8" }).trim();
  return {
    command: ["ssh", ...own, "-o", "BatchMode=yes", "-p", `${port}`, `${user}@127.0.0.1`],
    stop: () => void sshd.kill(),
    filesWith,
  };
}

/** The files below the folder that hold one of the texts. */
export function filesWith(folder: string, texts: string[]): string[] {
  return filesBelow(folder).filter((path) => {
    const content = ifPossible(() => readFileSync(path));
    return content !== undefined && texts.some((text) => content.includes(text));
  });
}

/** Their paths. What is gone meanwhile is not among them. */
export function filesBelow(folder: string): string[] {
  return (ifPossible(() => readdirSync(folder, { withFileTypes: true })) ?? []).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      done(true);
    });
    socket.once("error", () => done(false));
  });
