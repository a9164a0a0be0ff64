// Files of the tree that set what agents may do, because the person's own programs read or run them: settings, and what commands in settings name.
import { join, relative, resolve } from "node:path";
import { placeOf, within } from "../../permissions/paths/places.ts";
import type { Policy } from "../../permissions/policy.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import { namedWords } from "./named-words.ts";
import type { WorkspaceRequest } from "./workspace-request.ts";

/**
 * As they are when the workspace opens, as written and as real paths: settings that a link may keep in the tree; files that commands of
 * hooks, MCP servers, the status line and the repository's git settings name, if they exist in one of the folders in which the command may run;
 * and scripts that those run, git's folder of hooks and included settings, even where they do not exist; and what the person's programs read when
 * they start, where links of the home, or what such files name, keep that in one of the folders.
 */
export async function settingsFiles(request: WorkspaceRequest, policy: Policy, ports: WorkspacePorts): Promise<string[]> {
  const { cwd, home, directories } = policy;
  const { root, files, copy } = request.settings;
  const asInPersonsTree = copy ? [join(copy.of, relative(copy.at, cwd))] : [];
  const { real } = ports.files();
  const folders = [cwd, ...directories];
  const ofGit = (await Promise.all(folders.map((folder) => ports.repositoryNames(folder)))).flatMap((named) => named ?? []);
  const ours = commandsOf(request).map(({ command, folder }) =>
    namedFiles(command, [folder ?? cwd, cwd, root, ...asInPersonsTree], { home, ports }),
  );
  const gits = ofGit.flatMap(({ top, commands }) => commands.map((command) => namedFiles(command, [top, cwd], { home, ports })));
  const named = [...(await Promise.all([...ours, ...gits])).flat(), ...ofGit.flatMap(({ places }) => places)];
  // What contains a working directory would protect all of it.
  const areInside = (paths: string[]) => paths.filter((path) => folders.some((folder) => path !== folder && within(folder, path)));
  const inside = areInside(named);
  const given = [`${root}/.tool`, ...files.flatMap(({ file }) => file ?? []), ...inside];
  const ofHome = areInside(await startFiles(policy, ports));
  return [...new Set([...inside, ...ofHome, ...(await Promise.all(given.map((path) => real(path).catch(() => path))))])];
}

/**
 * Where links lead that the home has in the places of files which would be protected in the tree: `~/.bashrc -> dotfiles/bashrc`; and files that
 * such ones name: `source ~/dotfiles/aliases`.
 */
async function startFiles(policy: Policy, ports: WorkspacePorts): Promise<string[]> {
  const { names, real } = ports.files();
  const { cwd, home } = policy;
  const isStart = (name: string) => placeOf({ written: join(cwd, name), real: join(cwd, name) }, policy).protected !== undefined;
  const found = ["", ".config", ".cargo"].map(async (folder) => (await names(join(home, folder))).map((name) => join(folder, name)));
  const dotted = (await Promise.all(found)).flat().filter((name) => name.startsWith("."));
  const ends = dotted.map(async (name) => {
    const end = await real(join(home, name)).catch(() => join(home, name));
    return end !== join(home, name) && isStart(name) ? [end] : []; // few are links, and each session waits for this
  });
  const named = await ports.startNames(home);
  return [...(await Promise.all(ends)).flat(), ...named, ...(await Promise.all(named.map((path) => real(path).catch(() => path))))];
}

type Command = { command: string; folder?: string | undefined };

/** Those that run outside of the sandbox, with the person's rights. */
function commandsOf({ settings: { effective, servers } }: WorkspaceRequest): Command[] {
  const ofServers = servers.servers.flatMap(({ server }) =>
    server.kind === "stdio" ? [[server.command, ...server.args].map(quotedWord).join(" "), ...Object.values(server.env)] : [],
  );
  const { statusCommand = "", notifyCommand = [], apiKeyHelper } = effective;
  const others = [...ofServers, statusCommand, notifyCommand.map(quotedWord).join(" "), apiKeyHelper?.value ?? ""];
  return [...effective.hooks.filter(({ sandboxed }) => !sandboxed), ...others.map((command) => ({ command }))];
}

/** A word with a space in it stays one; a path is read out of any other, as out of `--config=x`. */
const quotedWord = (text: string) => (/\s/.test(text) ? `"${text.replaceAll('"', "")}"` : text);

type Place = { home: string; ports: WorkspacePorts };

/** A word that begins with a slash may have begun with a variable. */
async function namedFiles(command: string, bases: string[], { home, ports }: Place): Promise<string[]> {
  const { words, folders, scripts } = namedWords(command);
  const placesOf = (word: string) => {
    const below = bases.flatMap((base) => [resolve(base, word), join(base, word)]);
    return word.startsWith("~/") ? [join(home, word.slice(1))] : below;
  };
  const there = async (word: string, kind: "file" | "folder") => {
    const paths = [...new Set(placesOf(word))];
    const kindOf = async (path: string) =>
      ports.isThere(path) && ((await ports.files().names(path)).length > 0 ? ("folder" as const) : ("file" as const));
    const kinds = await Promise.all(paths.map(kindOf));
    // It may come to be in the others, too: each worktree is one of them.
    const counts = kinds.includes(kind) || (kind === "file" && scripts.includes(word));
    return paths.filter((_, index) => counts && (kinds[index] || kind) === kind);
  };
  const found = [...words.map((word) => there(word, "file")), ...folders.map((word) => there(word, "folder"))];
  return (await Promise.all(found)).flat();
}
