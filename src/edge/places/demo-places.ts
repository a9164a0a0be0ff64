// The two places of the demo: over ssh, where each link starts sshd for itself alone, in a network namespace of its own and without a port;
// otherwise processes of this machine.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DemoPlaces } from "../../team/demo.ts";
import { quotedWord } from "../../wording/shell-word.ts";
import { helperProgram } from "../processes/helper-programs.ts";
import { sweep } from "../processes/sweep.ts";

type Order = { names: readonly string[]; env: Record<string, string> };

/** Makes everything in this folder, which exists. What runs at the places is marked, so that its end can be seen to. `env`: without keys. */
export async function demoPlaces(folder: string, { names, env }: Order): Promise<DemoPlaces> {
  const mark = `TOOL_OWNER=${folder}`;
  const found = await sshCommand(join(folder, "ssh"), { mark, env });
  const command = found.ok ? found.command : ["env", mark];
  const placed = names.map((name) => [name, { command, folder: join(folder, name), node: process.execPath, atOnce: 1 }]);
  const settings = join(folder, "places.json");
  writeFileSync(settings, JSON.stringify({ places: Object.fromEntries(placed) }), { mode: 0o600 });
  return {
    settings,
    how: found.ok ? { kind: "ssh" } : { kind: "processes", why: found.why },
    end: async () => void (await sweep(folder)),
  };
}

type Found = { ok: true; command: string[] } | { ok: false; why: string };

/** Tried once, because a machine may have all programs and a kernel that permits no namespaces. `why` completes a sentence. */
async function sshCommand(folder: string, { mark, env }: { mark: string; env: Order["env"] }): Promise<Found> {
  const programs = { ssh: programAt("ssh"), keygen: programAt("ssh-keygen"), sshd: sshdAt(), unshare: programAt("unshare") };
  const { ssh, keygen, sshd, unshare } = programs;
  if (!sshd) return { ok: false, why: "openssh-server is not installed" };
  if (!ssh || !keygen || !unshare) return { ok: false, why: "ssh, ssh-keygen or unshare is not installed" };
  mkdirSync(folder, { mode: 0o700 });
  const run = (program: string, args: string[]) => promisify(execFile)(program, args, { env, cwd: "/", timeout: trialMs });
  const at = (name: string) => join(folder, name);
  try {
    for (const name of ["host", "user"]) await run(keygen, ["-q", "-t", "ed25519", "-N", "", "-f", at(name)]);
    writeFileSync(at("server"), serverSettings(at, mark));
    writeFileSync(at("known"), `${host} ${readFileSync(at("host.pub"), "utf8")}`);
    const alone = process.getuid?.() === 0 ? [unshare, "--net"] : [unshare, "--user", "--map-current-user", "--net"];
    writeFileSync(at("client"), clientSettings(at, [...alone, sshd, "-i", "-e", "-f", at("server")]));
    const command = [ssh, "-F", at("client"), host];
    await run(ssh, [...command.slice(1), "true"]);
    return { ok: true, command };
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n").at(-1) : "";
    return { ok: false, why: `sshd does not start in a network namespace here (${said || "it says nothing"})` };
  }
}

const host = "demo";

function serverSettings(at: (name: string) => string, mark: string): string {
  return lines([
    `HostKey "${at("host")}"`,
    `AuthorizedKeysFile "${at("user.pub")}"`,
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication no",
    "PrintMotd no",
    "LogLevel ERROR",
    `SetEnv "${mark}"`,
  ]);
}

function clientSettings(at: (name: string) => string, server: string[]): string {
  return lines([
    `User ${userInfo().username}`,
    `IdentityFile "${at("user")}"`,
    "IdentitiesOnly yes",
    "IdentityAgent none",
    `UserKnownHostsFile "${at("known")}"`,
    "GlobalKnownHostsFile /dev/null",
    "BatchMode yes",
    "LogLevel ERROR",
    `ProxyCommand ${server.map((word) => quotedWord(word).replaceAll("%", "%%")).join(" ")}`,
  ]);
}

const lines = (list: string[]) => `${list.join("\n")}\n`;

const programAt = (name: string) => {
  const program = helperProgram(name);
  return program.kind === "found" ? program.path : undefined;
};

/** It is rarely on a person's PATH. */
const sshdAt = () => ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find((path) => existsSync(path));

const trialMs = 10_000;
