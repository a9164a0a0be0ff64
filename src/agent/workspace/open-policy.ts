// The initial policy of one agent: the rules of its settings, narrowed by its definition and its parent, and facts about the folder.
import { relative } from "node:path";
import { ignoreFile } from "../../permissions/paths/ignore-patterns.ts";
import { isSensitiveName, within } from "../../permissions/paths/places.ts";
import { type MadePolicy, makePolicy, type Policy } from "../../permissions/policy.ts";
import { foldersTo } from "../../permissions/sandbox/sandbox-view.ts";
import { type LoadedSettings, policyOrder } from "../../settings/files.ts";
import { apart, childPolicy, narrowed, narrower } from "../child-policy.ts";
import { type PolicyStore, policyStore } from "../policy-store.ts";
import { temporaryIn } from "../ports/mounts.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import { settingsFiles } from "./settings-files.ts";
import { searchPathOf, stateFolderOf, type WorkspaceRequest } from "./workspace-request.ts";

/** The reason is the first invalid rule: applying only some of the rules would not be what the user wrote. */
export async function openPolicy(
  request: WorkspaceRequest,
  ports: WorkspacePorts,
): Promise<{ ok: true; store: PolicyStore } | { ok: false; reason: string }> {
  const made = await rulesOf(request.settings, request, ports);
  if (!made.ok) return made;
  const { child, definition } = request;
  const own = { ...made.policy, ...factsOf(made.policy, request, ports), settingsFiles: await settingsFiles(request, made.policy, ports) };
  const policy = child ? withIgnored(childPolicy(own, child), ports) : { ...own, mode: narrower(own.mode, definition?.mode) };
  return { ok: true, store: policyStore(withTemporary(policy, ports)) };
}

/** For a worker: the ignored paths in the folders of its files. */
function withIgnored(policy: Policy, { disk }: WorkspacePorts): Policy {
  if (!policy.ownFiles) return policy;
  const textOf = (file: string) => {
    try {
      return disk.read(file)?.toString("utf8");
    } catch {
      return undefined; // git does not read it either
    }
  };
  const gitIgnores = ignoredByGit(foldersTo(policy.ownFiles, policy.cwd), textOf);
  return Object.defineProperty(policy, "gitIgnores", { value: gitIgnores, enumerable: true });
}

/** The folder for temporary files, which is another one in the mode plan. */
function withTemporary(policy: Policy, { platform }: WorkspacePorts): Policy {
  const { temporary } = policy;
  if (temporary === undefined) return policy;
  const get = () => temporaryIn(policy.mode, temporary);
  const names = platform === "linux" ? ["temporary", "privateTmp"] : ["temporary"];
  return Object.defineProperties(policy, Object.fromEntries(names.map((name) => [name, { get, enumerable: true }])));
}

/** The policy that these settings would begin with. */
export function rulesOf(settings: LoadedSettings, request: WorkspaceRequest, ports: WorkspacePorts): Promise<MadePolicy> {
  const { cwd, configDir, child, definition, outputs } = request;
  const order = narrowed(policyOrder(settings, { cwd, home: ports.home, configDir }), child ?? definition);
  return makePolicy(
    { ...order, ...(outputs && { outputs: outputs.folder }), temporary: `${stateFolderOf(request)}/tmp` },
    ports.files().real,
  );
}

/** What depends on the working directories. */
export function folderFacts({ cwd, directories }: Policy, request: WorkspaceRequest, ports: WorkspacePorts) {
  const folders = [cwd, ...directories];
  return { outliers: ports.outliers(folders, isSensitiveName), programs: ports.programPlaces(searchPathOf(request), folders) };
}

function factsOf(policy: Policy, request: WorkspaceRequest, ports: WorkspacePorts): Partial<Policy> {
  const above = request.child?.parent.policy;
  return {
    repositoryFixed: request.repositoryFixed ?? above?.repositoryFixed,
    ...apart(policy, request.apartFrom ?? above?.apartFrom),
    sharedTree: request.sharedTree ?? (above?.cwd === policy.cwd && above.sharedTree),
    isThere: ports.isThere,
    ...ports.ownFolders(),
    repository: ports.repositoryAbove(policy.cwd),
    overSsh: ports.overSsh(policy.cwd),
    ...folderFacts(policy, request, ports),
  };
}

/**
 * Whether the `.gitignore` files of these folders ignore an entry; the deepest with a matching line decides. `textOf`: undefined if there
 * is no such file.
 */
export function ignoredByGit(folders: readonly string[], textOf: (file: string) => string | undefined): NonNullable<Policy["gitIgnores"]> {
  const files = folders.flatMap((folder) => {
    const text = textOf(`${folder}/.gitignore`);
    return text === undefined ? [] : [{ folder, decides: ignoreFile(text) }];
  });
  const deepestFirst = files.toSorted((a, b) => b.folder.length - a.folder.length);
  return (path, kind) => {
    for (const { folder, decides } of deepestFirst.filter((file) => within(file.folder, path))) {
      const line = decides(`${relative(folder, path)}${kind === "folder" ? "/" : ""}`);
      if (line) return !line.negative;
    }
    return false;
  };
}
