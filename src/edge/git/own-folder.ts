// The folder for the files that our git is given: settings and links to repositories (stand-in.ts), and the arguments of its sandbox (seal.ts).
// In this program's own folder, which no agent can write; where that cannot be written, as in the sandbox of a command, a temporary one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "../system-error.ts";

let wanted: string | undefined;
let folder: string | undefined;

/** Said at the start of the process, or of one of the runs that it makes. */
export function keepGitFilesIn(configDir: string): void {
  wanted = join(configDir, "git");
  folder = undefined;
}

/** Made on first use. Throws if the disk is full. */
export function ownFolder(): string {
  folder ??= (wanted !== undefined && writable(wanted) && wanted) || temporary();
  return folder;
}

function writable(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const trial = join(path, `.${process.pid}`);
    writeFileSync(trial, "");
    rmSync(trial);
    return true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

function temporary(): string {
  const made = mkdtempSync(join(tmpdir(), "tool-git-"));
  process.once("exit", () => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Works in a new folder of ours, which no command can write, and removes it afterwards. */
export async function inOwnFolder<T>(use: (place: string) => Promise<T>): Promise<T> {
  const all = join(ownFolder(), "indexes");
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const place = mkdtempSync(join(all, `${process.pid}-`));
  try {
    return await use(place);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
