// What a command sees inside the sandbox: which folders it may change, what stands there read-only, and what is hidden from it.
// Pure: the disk is looked at by edge/sandbox-tree.ts, which asks here what each name means.
import { dirname, join } from "node:path";
import type { Access, At } from "./call.ts";
import { containedBy } from "./contained.ts";
import { denial } from "./decision.ts";
import { isMasked } from "./masked.ts";
import { belongsToOthers } from "./own-files.ts";
import { placeOf, within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";

export type Entry = { path: string; kind: "file" | "folder" | "link" };

/** `normal`: as the tree around it. `readOnly`: may be read. `hidden`: neither read nor changed. */
export type Visibility = "normal" | "readOnly" | "hidden";

/** `rules`: where it comes up during a command it is more than a file of its own: it runs later, or sets what agents may do. `list`: only for the commands that stand in it. `others`: it is none of a worker's files. */
export type PathClass = { visibility: Visibility; rules: boolean; list?: true; others?: true };

/**
 * `scratch` is an empty place that is this session's alone; with `from` it keeps what is put there until the session ends. In the place of
 * what is hidden stands its `decoy`, or nothing.
 */
export type Mount =
  | { kind: "writable" | "fixed"; path: string }
  | { kind: "hidden"; path: string; as: "file" | "folder"; decoy?: string }
  | { kind: "scratch"; path: string; from?: string };

/** Everything not named is there to be read and not to be changed. Outer mounts come before what lies in them. */
export type SandboxView = { cwd: string; mounts: Mount[]; network: boolean; socketsClosed?: true };

/** What is there, as it was found before the command. Paths are real ones. */
export type SandboxInputs = {
  /** Folders that a command may change: the working directory, further ones, and the repository's own. */
  writable: string[];
  /** What stands out below them. */
  exceptions: { path: string; kind: "file" | "folder"; visibility: Visibility; decoy?: string; others?: true }[];
  /** Which of `secretPlaces` exist. */
  secrets: { path: string; kind: "file" | "folder" }[];
  /** Sockets and files that are shown though they lie in a hidden or private place. */
  shared: string[];
  scratch: { path: string; from?: string }[];
};

export function sandboxView({ cwd, apartFrom }: Pick<Policy, "cwd" | "apartFrom">, network: boolean, found: SandboxInputs): SandboxView {
  const hidden = [...found.secrets, ...(apartFrom === undefined ? [] : [{ path: apartFrom, kind: "folder" as const }])];
  const mounts: Mount[] = [
    ...found.scratch.map((place): Mount => ({ kind: "scratch", ...place })),
    ...hidden.filter(({ path }) => isShown(path, found)).map(({ path, kind }): Mount => ({ kind: "hidden", path, as: kind })),
    ...[...found.writable, ...anchors(found)].map((path): Mount => ({ kind: "writable", path })),
    ...found.exceptions.flatMap(({ path, kind, visibility, decoy }): Mount[] => {
      if (visibility === "normal") return [];
      return [
        visibility === "hidden" ? { kind: "hidden", path, as: kind, ...(decoy !== undefined && { decoy }) } : { kind: "fixed", path },
      ];
    }),
    ...found.shared.map((path): Mount => ({ kind: "fixed", path })),
  ];
  return { cwd, network, mounts: mounts.toSorted((a, b) => depth(a.path) - depth(b.path)) };
}

/**
 * The folders between a writable one and what is covered in it. What is mounted cannot be renamed, and without this a command could move
 * the folder around a covered file away, and with it the file to a name that no rule covers. The price: a rename out of such a folder
 * is one to another file system.
 */
function anchors({ writable, exceptions }: SandboxInputs): string[] {
  const covered = new Set(exceptions.filter((entry) => entry.visibility !== "normal").map(({ path }) => path));
  const between = [...covered].flatMap((path) => {
    const top = writable.filter((folder) => within(folder, path)).toSorted((a, b) => b.length - a.length)[0];
    const above: string[] = [];
    for (let folder = dirname(path); top !== undefined && folder !== top && within(top, folder); folder = dirname(folder))
      above.push(folder);
    return above;
  });
  return [...new Set(between)].filter((path) => !covered.has(path));
}

/** What lies in a private place is not there anyway; a folder that is worked in is not hidden from who works there. */
function isShown(path: string, { writable, scratch }: SandboxInputs): boolean {
  if (writable.includes(path)) return false;
  return writable.some((folder) => within(folder, path)) || !scratch.some((place) => within(place.path, path));
}

const depth = (path: string) => path.split("/").filter(Boolean).length;

/**
 * What a name below a writable folder means; undefined for a plain file or folder. A repository's own folder stays writable, so that a
 * commit can be made; what git runs or reads its settings from in there does not. Rules that close a whole tool are not about files.
 */
export function pathClasses(policy: Policy): (entry: Entry) => PathClass | undefined {
  const rules = { ...policy, deny: policy.deny.filter(({ kind }) => kind !== "any") };
  const masks = containedBy(policy) !== undefined;
  const isAsked = hidesByName(rules) || masks;
  const isOthers = belongsToOthers(policy);
  return ({ path, kind }) => {
    const at = { written: path, real: path, ...(kind !== "folder" && { file: true as const }) };
    const isNotable = notable.test(path);
    const isRepository = kind === "folder" && /\/\.git$/i.test(path);
    const isProtected = () => isNotable && (placeOf(at, rules).protected || placeOf(at, rules).memory || gitFixed.test(path));
    if ((isNotable && placeOf(at, rules).own) || (isAsked && isDenied("read", at, rules)) || (masks && isMasked(at, rules)))
      return { visibility: "hidden", rules: isRepository || Boolean(isProtected()) };
    if (isRepository) return { visibility: "normal", rules: true };
    // Others work by them; its own lie in the repository's folder for its worktree.
    if (policy.apartFrom !== undefined && othersState.test(path) && !within(policy.cwd, path))
      return { visibility: "readOnly", rules: false };
    // A rebase writes its list again with each step: it stays writable, and what stands in it is looked at afterwards.
    if (rebaseTodo.test(path)) return { visibility: "normal", rules: true, list: true };
    if (isProtected() || (isAsked && isDenied("write", at, rules))) return { visibility: "readOnly", rules: true };
    return isOthers({ path, kind }) ? { visibility: "readOnly", rules: false, others: true } : undefined;
  };
}

/** Whether rules may hide or close a file anywhere, by its name. */
export function hidesByName({ deny, ignore }: Policy): boolean {
  return ignore.file !== undefined || deny.some(({ kind }) => kind !== "any");
}

/** Most protected names begin with a dot, or lie in such a folder; these are the others. What is not ASCII may be folded to anything. */
const notable =
  /\/\.|[^ -~]|\/(tool|agents|claude|gemini)\.md$|\/opencode\.jsonc?$|\.code-workspace$|\/lefthook[^/]*$|\/mise(\.local)?\.toml$/i;

/** As in places.ts, for a repository's folder that lies outside the working directory. */
const gitFixed = /\/\.git\/(.*\/)?(hooks|info|config|config\.worktree|commondir)$/i;

/** Of the working tree that a repository lies in: what is checked out there, and what is staged. */
const othersState = /\/\.git\/(HEAD|index)$/;

/** What a rebase still has to do, in a repository or in one of its worktrees. */
const rebaseTodo = /\/\.git\/(.*\/)?rebase-(merge|apply)\/git-rebase-todo(\.backup)?$/i;

/** By a rule or by .toolignore, whatever the mode. */
function isDenied(access: Access, at: At, policy: Policy): boolean {
  return denial(access, at, policy) !== undefined;
}

/** Where people keep what opens other doors: keys, sessions, histories, and what other agents remember. */
export function secretPlaces({ home, configDir }: Pick<Policy, "home" | "configDir">): string[] {
  return [configDir, ...homeSecrets.map((name) => join(home, name))];
}

const homeSecrets = [
  ...".ssh .aws .azure .gnupg .kube .docker .oci .fly .terraform.d .password-store .vault-token".split(" "),
  ...".netrc .pgpass .my.cnf .pypirc .git-credentials .s3cfg .boto .cargo/credentials .cargo/credentials.toml .gem/credentials".split(" "),
  ...".config/gcloud .config/gh .config/glab-cli .config/hub .config/git/credentials .config/rclone .config/op .config/doctl".split(" "),
  ...".npmrc .yarnrc.yml .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .composer/auth.json .terraformrc .env".split(
    " ",
  ),
  ...".config/sops .config/helm .config/hcloud .config/1Password .cache/huggingface .huggingface .mylogin.cnf .subversion/auth".split(" "),
  ...".Xauthority .ICEauthority .local/share/keyrings .config/google-chrome .config/chromium .mozilla .thunderbird .config/BraveSoftware".split(
    " ",
  ),
  ...".bash_history .zsh_history .local/share/fish/fish_history .python_history .node_repl_history .psql_history .mysql_history".split(" "),
  // sockets of agents and services that may have a network of their own, and so are not among those that the kernel lists here
  ...".1password/agent.sock .bitwarden-ssh-agent.sock .colima .emacs.d/server .lima .orbstack/run .rd/docker.sock".split(" "),
  ".local/share/containers/podman/machine/podman.sock",
  ...".claude .claude.json .codex .cursor .gemini .config/github-copilot".split(" "),
];
