// Hidden files as git sees them in the sandbox: tracked ones appear unchanged, as decoys, and untracked ones are neither listed nor added.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { SandboxInputs } from "../../../agent/ports/mounts.ts";
import type { RepositoryHistory, TrackedFile } from "../../../agent/ports/repository-port.ts";
import type { GitSetting } from "../../../agent/ports/sandbox-port.ts";
import { writeNamed } from "../../disk/durable.ts";
import { topOf } from "../../git/places.ts";
import { ifPossible } from "../../system-error.ts";
import { decoys } from "./decoys.ts";

type Exceptions = SandboxInputs["exceptions"];

export type CoveredGit = {
  /** The same places, with the paths of their decoys. */
  withDecoys(exceptions: Exceptions): Exceptions;
  /** Settings for the git of a command that starts now, and the files that git reads for them. */
  told(exceptions: Exceptions): { settings: GitSetting[]; files: string[] };
  close(): void;
};

export type CoveredGitOptions = {
  cwd: string;
  /** A folder of this agent. */
  stateFolder: string;
  tracked: () => TrackedFile[];
  attributes: RepositoryHistory["first"];
  /** The content of the user's own ignore file, which ours replaces. */
  ignored: string;
};

export function coveredGit({ cwd, stateFolder, tracked, attributes, ignored }: CoveredGitOptions): CoveredGit {
  const made = decoys(join(stateFolder, "decoys"), tracked);
  const infos = infoCopies(join(stateFolder, "info"));
  const file = join(stateFolder, "ignored");
  const top = topOf(cwd);
  let written: string | undefined;
  return {
    withDecoys: (exceptions) =>
      exceptions.map((place) => {
        const lines = place.kind === "folder" ? attributes().get(place.path) : undefined;
        if (lines !== undefined) return { ...place, visibility: "hidden", decoy: infos.copy(lines, place.path) };
        const decoy = place.visibility === "hidden" ? made.of(place) : undefined;
        return decoy === undefined ? place : { ...place, decoy };
      }),
    told(exceptions) {
      const hidden =
        top === undefined
          ? []
          : exceptions.filter(({ visibility, path }) => visibility === "hidden" && path.startsWith(`${top}/`) && !attributes().has(path));
      if (hidden.length === 0) return { settings: [], files: [] };
      const text = `${ignored}${hidden.map(({ path, kind }) => ignoreLine(relative(top!, path), kind)).join("")}`;
      if (text !== written || !existsSync(file)) writeNamed(file, Buffer.from(text, "latin1")); // written in place: the sandbox shows this very file
      written = text;
      const settings = [{ key: "core.excludesFile", value: file }];
      // compares size and whole seconds only, because a decoy is another file, created at another time
      const minimal = [
        { key: "core.checkStat", value: "minimal" },
        { key: "core.trustctime", value: "false" },
      ];
      return { settings: tracked().length > 0 ? [...settings, ...minimal] : settings, files: [file] };
    },
    close() {
      made.close();
      rmSync(file, { force: true });
      infos.close();
    },
  };
}

/**
 * Copies of repositories' folders `info`, whose attributes end with more lines. Of all attributes git lets those win, whatever the tree says: a
 * `.gitattributes` that a command writes, too. The folder is read-only for commands anyway. Made again only if something has changed.
 */
function infoCopies(folder: string) {
  const made = new Map<string, string>();
  return {
    copy(lines: string, info: string): string {
      const at = join(folder, createHash("sha256").update(info).digest("hex").slice(0, 16));
      const files = readdirSync(info, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
      const state = JSON.stringify([lines, ...files.map((name) => [name, stampOf(join(info, name))])]);
      if (made.get(info) === state && existsSync(join(at, "attributes"))) return at;
      mkdirSync(at, { recursive: true, mode: 0o700 });
      for (const gone of readdirSync(at)) if (gone !== "attributes" && !files.includes(gone)) rmSync(join(at, gone), { force: true });
      for (const name of files) if (name !== "attributes") copyFileSync(join(info, name), join(at, name));
      const own = ifPossible(() => readFileSync(join(info, "attributes"), "latin1")) ?? "";
      writeNamed(join(at, "attributes"), Buffer.from(`${own}\n${lines}`, "latin1"));
      made.set(info, state);
      return at;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function stampOf(path: string): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}` : "";
}

/** gitignore(5), in bytes as latin1. */
function ignoreLine(path: string, kind: "file" | "folder"): string {
  if (path.includes("\n")) return ""; // no line can name such a path
  const bytes = Buffer.from(path, "utf8").toString("latin1");
  return `/${bytes.replaceAll(/[*?[\]\\ ]/g, "\\$&")}${kind === "folder" ? "/" : ""}\n`;
}
