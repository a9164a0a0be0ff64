// Special files: those that contain secrets, those that run later or set an agent's rights, and this program's own.
import { basename, isAbsolute, join, relative } from "node:path";
import type { Access, At } from "../call.ts";
import type { Policy } from "../policy.ts";
import { fold } from "./fold.ts";
import { type Glob, meets } from "./glob-meets.ts";

export type Place = {
  inside: boolean;
  own: boolean;
  /** In /tmp, which all programs of this machine share unless a sandbox gives commands their own. */
  common: boolean;
  /** Below a repository's own folder, where git alone writes. */
  git: boolean;
  /** In this session's own folder for temporary files, which is /tmp in the sandbox. */
  temporary: boolean;
  /** The memory file, which agents receive and only the user writes. */
  memory: boolean;
  /** The agent was assigned files to change, and this is not one of them. */
  others: boolean;
  /** Why reading or writing it needs a question: what such a file contains. */
  sensitive?: string;
  /** Why writing it needs a question: what such a file does. */
  protected?: string;
};

/** The location is judged by the real path alone; the name by the real and the written one, and by those of links that lead there. */
export function placeOf(
  { written, real, links = [] }: Pick<At, "written" | "real" | "links">,
  { cwd, configDir, directories, outputs, temporary, sandbox, ownFiles, settingsFiles, asGit }: Policy,
): Place {
  // complete output of which the agent was shown a part: readable like a file of the working directory, never writable
  if (outputs !== undefined && within(outputs, real)) return { ...ordinary, inside: true, protected: outputOnly };
  const names = [...(real === written ? [real] : [real, written]), ...links];
  const isTemporary = temporary !== undefined && within(temporary, real);
  const folders = isTemporary ? [temporary] : [cwd, ...directories];
  // Relative to the working directory: a worktree may itself be in a folder with such a name.
  const wayIn = (folder: string, path: string) => wayTo(asGit?.(path) ?? path, folder) ?? wayTo(path, folder) ?? [];
  const relatively = (paths: string[]) => folders.flatMap((folder) => paths.flatMap((path) => wayIn(folder, path))).map((way) => `/${way}`);
  return {
    inside: folders.some((folder) => within(folder, real)),
    git: relatively(names).some((way) => /\/\.git\/./.test(fold(way))),
    own: !isTemporary && within(fold(configDir), fold(real)),
    temporary: isTemporary,
    common: sandbox.kind !== "active" && /^(\/private)?\/tmp(\/|$)/.test(real),
    memory: names.some((path) => fold(basename(path)) === fold(memoryFile)),
    others: ownFiles !== undefined && !isTemporary && !ownFiles.includes(real),
    sensitive: firstFit(sensitiveFiles, names.map(fold)),
    protected:
      !isTemporary && settingsFiles?.some((file) => within(fold(file), fold(real)))
        ? setsRights
        : (protectedAs(relatively(names.slice(0, names.length - links.length))) ?? protectedThrough(relatively(links))),
  };
}

const ordinary = { own: false, common: false, git: false, temporary: false, memory: false, others: false };

const protectedAs = (below: string[]) => firstFit(protectedFiles, below.map(fold)) ?? firstFit(protectedInThisCase, below);

/** `as .envrc, programs run what it says`. */
function protectedThrough(links: string[]): string | undefined {
  const link = links.find((path) => protectedAs([path]) !== undefined);
  return link && `as ${link.slice(1)}, ${protectedAs([link])}`;
}

const setsRights = "it sets what agents may do";
const outputOnly = "it is an output, kept to be read";

/** Why no agent may write there, whatever rules and people say; undefined if they decide. */
export function whyNeverWritten({ own, memory }: Place): string | undefined {
  if (own) return "belongs to this program's own settings and state, where no agent writes";
  return memory ? `is a ${memoryFile}, which the person alone writes: tell them what it should say` : undefined;
}

const memoryFile = "TOOL.md";

/** Whether a file of that name, relative to any folder, usually contains secrets. */
export function isSensitiveName(path: string): boolean {
  return firstFit(sensitiveFiles, [fold(`/${path}`)]) !== undefined;
}

/** Whether only the tool's own default applies to this place, so that the guard lets it pass without a question. */
export function isOpen(place: Place, access: Access): boolean {
  if (!place.inside || place.own || place.sensitive) return false;
  return access === "read" || !(place.protected || place.git || place.memory || place.others);
}

export const within = (folder: string, path: string): boolean => wayTo(path, folder) !== undefined;

/** From the folder to the path, empty if they are the same; undefined if the path is not within it. */
function wayTo(path: string, folder: string): string | undefined {
  if (isPlain(folder) && isPlain(path)) {
    if (path === folder) return "";
    return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
  }
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== ".." && !way.startsWith("../") ? way : undefined;
}

/** Absolute, and as `resolve` would leave it: nearly all are. Two such are compared as texts, in a twentieth of the time. */
const isPlain = (path: string) => path.startsWith("/") && !/\/\.{0,2}(?:\/|$)/.test(path);

/** The working directory that is the home or contains it: many of its files run or configure programs, under names of their own. */
export const homeFolder = ({ cwd, home, directories }: Pick<Policy, "cwd" | "home" | "directories">): string | undefined =>
  [cwd, ...directories].find((folder) => within(folder, home));

/** Whether it is in the tree that an agent in a worktree neither reads nor changes; the repository's own folder is shared. */
export const isApart = (real: string, { apartFrom }: Pick<Policy, "apartFrom">): boolean =>
  apartFrom !== undefined && within(apartFrom, real) && !within(join(apartFrom, ".git"), real);

type Kind = [name: RegExp, what: string];

/** `any`: a path that it does not fit has none of these names, as nearly all have. */
type Kinds = { any: RegExp; kinds: Kind[] };

const together = (kinds: Kind[]): Kinds => ({ any: new RegExp(kinds.map(([{ source }]) => source).join("|")), kinds });

function firstFit({ any, kinds }: Kinds, paths: string[]): string | undefined {
  const fitting = paths.filter((path) => any.test(path));
  return fitting.length > 0 ? kinds.find(([name]) => fitting.some((path) => name.test(path)))?.[1] : undefined;
}

const sensitiveFiles = together([
  [/\/\.env(?!\.(?:example|sample|template|dist)$)[^/]*$/, "environment settings often hold keys"],
  [
    /^(?!.*\/(node_modules|site-packages|dist-packages|tests?|__tests__|fixtures?|testdata)\/).*(?<!\/cacert)\.(pem|key|p12|pfx|jks|keystore)$/,
    "a private key",
  ], // packages and tests have known ones
  [/\/(id_(rsa|dsa|ecdsa|ed25519)(_sk)?)$/, "an ssh key"],
  [/\/\.ssh(\/(?![^/]*\.pub$)|$)/, "ssh keys and settings"],
  [/\/(credentials\.json|application_default_credentials\.json)$/, "credentials"],
  [/\/\.(aws|azure|gnupg)(\/|$)|\/\.config\/gcloud(\/|$)/, "credentials of a cloud account or a key ring"],
  [/\/\.kube(\/config)?$|\/\.docker(\/config\.json)?$|\/\.config\/gh\/hosts\.yml$/, "credentials of a service"],
  [/\/\.(netrc|pgpass|pypirc|git-credentials)$/, "passwords of services"],
  [/\/(\.my\.cnf|\.s3cfg|\.boto|\.htpasswd|\.dockercfg|\.databrickscfg|\.vault-token)$/, "passwords of services"],
  [/\/(\.terraform\.d|\.cargo|\.gem)\/credentials[^/]*$|\/\.oci\/config$/, "credentials of a service"],
  [/\/[^/]*service[-_]?account[^/]*\.json$|\/[^/]*-credentials\.json$/, "credentials"],
  [/\.(ppk|kdbx|jceks)$/, "keys"],
  [/^\/etc\/(g?shadow|sudoers)[^/]*$/, "what accounts of this machine may do"],
  [/^\/proc\/.*\/environ$/, "the environment of a process"],
]);

/** Whether the letters of a glob may spell one of these names: `cat .e*` is a way to write `cat .env`. */
function spelling(names: string): (glob: Glob) => boolean {
  const meetings = names.split(" ").map((pattern) => meets({ base: "/", pattern }));
  return (glob) => meetings.some((meeting) => meeting(glob) === "spelled");
}

export const spellsSecret = spelling(
  ".env* .netrc .pgpass .git-credentials .ssh .aws credentials id_rsa id_ed25519 *.pem *.key *.p12 *.pfx",
);

/** Of files that run later or set rights: `tee .gi?/config`. */
export const spellsProtected = spelling(
  ".git .tool .husky .vscode .idea .claude .mcp.json .envrc .bashrc .npmrc .gitmodules AGENTS.md CLAUDE.md lefthook.yml mise.toml",
);

/** Whether a folder put at this place could bring a file that is special only there: `mv a .cargo`. Of a glob, the folder around it. */
export function holdsSpecial({ written, real }: At, around: Policy, what: "protected" | "sensitive" = "protected"): boolean {
  const [folder, writtenAs] = [real, written].map((path) => path.replace(/\/[^/]*[*?[].*$/s, ""));
  return specialInside.some((name) => placeOf({ written: `${writtenAs}/${name}`, real: `${folder}/${name}` }, around)[what] !== undefined);
}

/** Names that are ordinary by themselves, and special in some folder. */
const specialNames =
  "config config.toml hooks commondir hgrc git fish copilot-instructions.md instructions prompts agents chatmodes skills credentials gcloud gh/hosts.yml hosts.yml x.rc";
const specialInside = specialNames.split(" ");

/** In any other case it is an ordinary name. */
const protectedInThisCase = together([
  [/^(?!.*\/\.git\/).*\/HEAD$/, "it can make its folder a repository, whose settings name programs that git runs"],
]);

/** What says which programs git runs, or where it gets the history: in a repository's folder, and in those of worktrees and modules in it. */
export const gitFixed =
  /\/\.git\/((.*\/)?(hooks|(?<!\.git\/objects\/|rebase-apply\/)info|config|config\.worktree|commondir|(?<=\/worktrees\/[^/]+\/)gitdir|refs\/replace|objects\/info\/(http-)?alternates)|remotes|branches|lazygit\.yml|gbp\.conf|glab-cli)(\/|$)/i;

/** What a rebase, a cherry-pick or a resolved conflict goes on with, where git packs references, and the end of a history: what their lines say counts. */
export const stepList =
  /\/\.git\/((.*\/)?(rebase-(merge|apply)\/(git-rebase-todo(\.backup)?|strategy)|sequencer\/opts|packed-refs|merge_rr|bisect_start)|(modules\/.*\/)?shallow)$/i;

const alike = (what: string, names: RegExp[]) => names.map((name): Kind => [name, what]);

const protectedFiles = together([
  [/\/\.git$/, "it says where a repository is kept"],
  [gitFixed, "git runs programs that it names, or gets the history from where it says"],
  [stepList, "git goes on with what it says, or takes one version for another"],
  [/\/\.?git-?hooks(\/|$)/, "git runs them where its settings name this folder"],
  [/\/(\.tool(\/|$)|\.toolignore$|\.mcp\.json$)/, setsRights],
  [/\/agents(\.override)?\.md$/, "agents follow what it says"],
  ...alike("other agents follow what it says", [
    /\/(claude(\.local)?|gemini|qwen|crush|warp)\.md$|\/\.(rules|goosehints|augment-guidelines)$|\/\.github\/(copilot-instructions\.md$|(instructions|prompts|agents|chatmodes|skills|hooks)(\/|$))/,
  ]),
  ...alike("it sets what other agents may do", [
    /\/\.(claude|codex|cursor|gemini|roo|kiro|continue|windsurf|clinerules|opencode|amazonq|augment|junie|trae|qwen|goose|crush|factory|warp|openhands|kilocode|copilot|agents|amp|zencoder|firebender)(\/|$)/,
    /\/(\.(cursor|windsurf|roo)rules|\.(roo|kilocode)modes|\.(aider\.conf\.yml|aider\.model\.settings\.yml|claude\.json)|(opencode|\.?crush|firebender)\.jsonc?)$/,
  ]),
  ...alike("programs run what it says", [
    /\/\.(husky|vscode|zed|idea|devcontainer|mvn|fleet|theia|nova|helix|vim|nvim|codesandbox|idx|shadowenv\.d|lefthook(-local)?|cargo-husky|bsp|externaltoolbuilders)(\/|$)|\.(code-workspace|sublime-project)$/,
    /\/(\.envrc(\.[\w-]+)?|\.direnv\/[^/]+\.rc|\.autoenv(_leave)?(\.zsh)?|\.rvmrc|\.(ex|vim|gvim|nvim|lvim)rc|\.vimrc\.local|\.local\.vimrc|\.(nvim|lazy)\.lua|\.dir-locals(-2)?\.el|\.ycm_extra_conf\.py|\.?rust-analyzer\.toml|hie\.yaml|\.lsp\/config\.edn|\.exrc\.lua)$/,
    /\/(\.devcontainer\.json|\.gitpod\.yml|\.replit|\.huskyrc[^/]*|\.overcommit\.yml|prek\.toml|captainhook\.json|\.rusty-hook\.toml|hk\.pkl)$/,
    /\/\.?(lefthook(-local)?\.(ya?ml|toml|json)|mise(\.[\w-]+)*\.toml)$|\/\.?mise\/(.*\/)?[^/]*\.toml$|\/\.cargo\/config(\.toml)?$|\/\.miserc\.toml$|\/tools\/bazel$/,
    /\/(\.(gitmodules|lfsconfig|npmrc|yarnrc|yarnrc\.yml|pnpmfile\.[cm]js|ripgreprc|pre-commit-config\.ya?ml|bazelrc|bazeliskrc|bazelversion|buckconfig(\.local)?|jvmopts|sbtopts|condarc)|\.?bunfig\.toml|pip\.conf|nuget\.config)$/,
    /\/\.config\/(fish|git)(\/|$)|\/\.gitconfig$|\/\.hg\/(hgrc[^/]*|requires|sharedpath)$|\/_darcs\/prefs(\/|$)|\/\.(jj|sl)\/(.*\/)?config(\.toml)?$/,
  ]),
  ...alike("an interpreter, a debugger or a shell runs it when it starts", [
    /\/\.(gdbinit|lldbinit|pdbrc|irbrc|pryrc|rdbgrc|byebugrc|perldb|psysh\.php|rprofile|renviron|rdata|iex\.exs|erlang|ghci|ocamlinit|octaverc|user\.ini)$/,
    /\/\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login)$/,
  ]),
  [/\/(rust-toolchain(\.toml)?|\.tool-versions|\.prototools)$/, "it says which programs are run"],
]);
