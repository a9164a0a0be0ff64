// The environment in which an agent's commands run git: hooks that scan commits, and attributes that keep git from printing hidden files. Also the
// facts about a repository that decisions about commands need.
import { dirname, relative } from "node:path";
import { hiddenPlaces, type IsHidden, maskMark } from "../../permissions/paths/hidden.ts";
import { holdsSpecial, placeOf, within } from "../../permissions/paths/places.ts";
import type { Policy } from "../../permissions/policy.ts";
import { hidesByName, notable } from "../../permissions/sandbox/sandbox-view.ts";
import { passedProblem } from "../../secrets/commit-gate.ts";
import { withAttributes, withCommitHooks } from "../../secrets/environment.ts";
import type { Scanner } from "../../secrets/secrets.ts";
import type { Analysis } from "../../shell/words/analysis.ts";
import type { Shell, ShellRequest } from "../../tools/shell.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { visible } from "../../wording/visible.ts";
import type { PolicyStore } from "../policy-store.ts";
import type { ReadCommand } from "../ports/command-reader.ts";
import type { Brought, HeadMark, References, RepositoryHistory, Staged, Step } from "../ports/repository-port.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import { isGitAlone } from "../rewind/git-alone.ts";
import { foreignPrograms } from "../rewind/only-looks.ts";

export type GitView = {
  environment(env: Record<string, string>): Record<string, string>;
  /** Paths that must be visible inside the sandbox. */
  shared: string[];
  /** The hidden files in the index of a repository. */
  tracked: RepositoryHistory["tracked"];
  /** The attributes that hide files, for each folder where git reads those that come first. */
  attributes: RepositoryHistory["first"];
  /** Before each command. Returns what to decide about. */
  survey(command: string): Promise<Analysis>;
  /** The same shell, which reports after a command what it committed without the hooks, and tells the person what branches bring from then on. */
  watched(shell: Shell, say: (text: string) => void): Shell;
  close(): void;
};

/** `stateFolder`: this agent's own, for the file of attributes. */
export function gitView(
  store: PolicyStore,
  { stateFolder, scanner, read }: { stateFolder: string; scanner: Scanner; read: ReadCommand },
  ports: WorkspacePorts,
): GitView {
  const policy = store.current;
  let mark: HeadMark | undefined;
  const { commitHooks } = ports;
  const attributes = `${stateFolder}/attributes`;
  const list = `${stateFolder}/hidden.json`;
  const moved = movedReferences(policy, ports);
  const history = ports.repositoryHistory({ file: attributes, list });
  let folders = [policy.cwd];
  let rules: { deny: unknown; ignore: unknown; allow: unknown; masks: string; isHidden: IsHidden | undefined } | undefined;
  const unsigned = unsignedCommits(policy, ports);
  const programs = commitHooks && dirname(commitHooks.folder);
  const isOwn = programs !== undefined && ![policy.cwd, ...policy.directories].some((top) => within(top, programs)); // else it stays as the tree is
  return {
    environment: (env) => withAttributes(commitHooks ? withCommitHooks(env, { ...commitHooks, hidden: list }) : env, attributes),
    shared: [...(isOwn ? [programs] : []), attributes, list],
    tracked: history.tracked,
    attributes: history.first,
    // What it needs is loaded for the first command only.
    async survey(command) {
      const [{ bringsAnything, placesOfGit, printsContents, programsIn }, { withSearchedFiles }, analysis] = await Promise.all([
        import("./git-programs.ts"),
        import("./searched-files.ts"),
        read(command),
      ]);
      folders = await placesOfGit(analysis, policy, ports.files());
      const { deny, ignore, allow } = policy;
      const masks = maskMark(policy);
      const isNew = rules?.deny !== deny || rules.ignore !== ignore || rules.allow !== allow || rules.masks !== masks;
      if (isNew) rules = { deny, ignore, allow, masks, isHidden: masks || hidesByName(policy) ? hiddenPlaces(policy) : undefined };
      const isGit = /git/i.test(command) || analysis.commands.some(({ words: [name] }) => name && /git|^$/i.test(name.value ?? ""));
      if (isNew || (rules?.isHidden && (isGit || history.isStale()))) await history.survey(folders, rules?.isHidden);
      const mayShow = isGit && policy.sandbox.kind !== "active" && rules?.isHidden !== undefined;
      const prints = (isGit && (await printsContents(analysis, policy, ports))) || (mayShow && bringsAnything(analysis));
      const showsHidden = prints || (mayShow && history.first().size > 0 ? await history.showsHidden() : undefined);
      store.sawRepositories({
        gitRuns: await programsIn(folders, { analysis, policy }, { ...ports, real: ports.files().real }),
        showsHidden,
      });
      return withSearchedFiles(analysis, policy, { ...ports, real: ports.files().real });
    },
    watched: (shell, say) => ({
      async run(request) {
        await moved.look(isGitAlone(await read(request.command), foreignPrograms(policy)));
        mark = mark ? ports.commits.markOf(mark.log) : await ports.commits.headMark(policy.cwd);
        const before = mark;
        let isPlain = false;
        const ran = await withoutLoss(shell, request).finally(() => (isPlain = moved.ended()));
        for (const text of await moved.since(isPlain)) {
          request.onOutput(Buffer.from(`\n[${text}]\n`));
          say(text);
        }
        const now = before && ports.commits.markOf(before.log);
        if (!before || !now || now.bytes === before.bytes) return ran;
        const problem = await passedProblem(ports.commits.madeSince(policy.cwd, before), scanner);
        if (problem) request.onOutput(Buffer.from(`\n[${problem}]\n`));
        for (const text of await unsigned()) say(text);
        return ran;
      },
    }),
    close: history.close,
  };

  /** After git moved on to other versions of hidden files, which could not be written here: such a call must not pass for success. */
  async function withoutLoss(shell: Shell, request: ShellRequest): ReturnType<Shell["run"]> {
    const before = history.tracked();
    const ran = await shell.run(request);
    if (before.length === 0 || !rules?.isHidden || !history.isStale()) return ran;
    await history.survey(folders, rules.isHidden);
    const paths = (await history.leftBehind(before)).map((path) => relative(policy.cwd, path));
    if (paths.length === 0) return ran;
    request.onOutput(Buffer.from(`\n[${leftBehind(paths)}]\n`));
    const isDone = ran.end.kind === "exited" && ran.end.code === 0;
    return isDone ? { ...ran, end: { kind: "exited", code: 1 } } : ran;
  }
}

/** What later steps of the person's git may bring into the tree: they are in none yet, where a write of protected files is asked about. */
function movedReferences(policy: Policy, { references, staged }: WorkspacePorts) {
  let last: References | undefined;
  let indexes: ReadonlyMap<string, Staged> | undefined;
  let areLost = false;
  let running = 0;
  let areGitAlone = true;
  /** No command can write there. */
  const isClosed = () => policy.sandbox.kind === "active" && policy.repositoryFixed === true;
  const isOwn = () => policy.sandbox.kind === "active" && policy.apartFrom !== undefined;
  const isSpecialIn = (top: string) => {
    const around = { ...policy, cwd: top, directories: [] };
    return (path: string) => {
      if (!notable.test(`/${path}`)) return false;
      const at = { written: `${top}/${path}`, real: `${top}/${path}` };
      // A file of the name of such a folder is a link to one.
      return placeOf(at, around).protected !== undefined || (/(?:^|\/)\.[^/]+$/.test(path) && holdsSpecial(at, around));
    };
  };

  async function fromIndex(top: string): Promise<string[]> {
    const before = indexes;
    const now = before && (await staged.look(policy.cwd, { isSpecial: isSpecialIn(top), isOwn: isOwn() }, before));
    if (!before || !now) return [];
    indexes = now.staged;
    return [...now.forged.map(forgedText), ...broughtTexts(await staged.since(policy.cwd, before, now.staged))];
  }

  return {
    /** Before a command; `isGitAlone`: the person sees in its text what it does. What another one does that still runs is told when either ends. */
    async look(isGitAlone: boolean) {
      areGitAlone = (running === 0 || areGitAlone) && isGitAlone;
      running++;
      if (isClosed() || (running > 1 && last)) return;
      const [now, index] = await Promise.all([
        references.look(policy.cwd, last),
        indexes ? undefined : staged.look(policy.cwd, { isSpecial: isSpecialIn(policy.cwd), isOwn: isOwn() }),
      ]);
      last = now ?? last;
      indexes ??= index?.staged;
    },
    /** Returns whether the person sees in the texts of all that ran meanwhile what they do. */
    ended() {
      running--;
      return areGitAlone;
    },
    /** Sentences on what has come since the look; nothing of steps that are seen in the text. */
    async since(areSeen: boolean): Promise<string[]> {
      const before = last;
      if (isClosed()) return [];
      const now = await references.look(policy.cwd, before);
      const wereLost = areLost;
      areLost = before !== undefined && now === undefined;
      const lost = areLost && !wereLost ? [lostReferences] : [];
      if (!before) return lost;
      last = now ?? before;
      const brought = !now || now === before ? [] : await references.brought(before, now, isSpecialIn(before.top));
      const turned = [...(now?.steps ?? [])].filter(([name, { digest }]) => !areSeen && before.steps.get(name)?.digest !== digest);
      const symbolic = [...(now?.symbolic ?? [])].filter(([name, to]) => before.symbolic.get(name) !== to).slice(0, mostTexts);
      const steps = [...turned.slice(0, mostTexts).map(turnedText), ...symbolic.map(symbolicText)];
      return [...lost, ...steps, ...broughtTexts(brought), ...(await fromIndex(before.top))];
    },
  };
}

/** A fetch may bring many. */
const mostTexts = 5;

function broughtTexts(brought: Brought[]): string[] {
  const [told, more] = [brought.slice(0, mostTexts), brought.length - mostTexts];
  const rest = more > 0 ? [`${more} more ${more === 1 ? "name brings" : "names bring"} such files: git log --all --stat shows them`] : [];
  return [...told.map(broughtText), ...rest];
}

/** After a commit: what to say of it once. */
function unsignedCommits(policy: Policy, { commits }: WorkspacePorts): () => Promise<string[]> {
  let isLooked = false;
  return async () => {
    if (isLooked || policy.sandbox.kind !== "active") return [];
    isLooked = true;
    return (await commits.areSigned(policy.cwd)) ? [unsignedText] : [];
  };
}

const unsignedText =
  "Commits of commands in the sandbox are not signed, though commit.gpgSign is on: your keys are hidden there. To sign what is there since main: git rebase --exec 'git commit --amend --no-edit -S' main";

const forgedText = (path: string) =>
  `git's index named ${visible(path)}, which git itself never takes into it: the next git restore would have written there. The entry is taken out`;

function turnedText([name, { kind }]: [string, Step]): string {
  const where = name === "" ? "this checkout" : name === "main" ? "the main checkout" : `the worktree ${visible(name)}`;
  const ways = kind === "bisect" ? "git bisect reset and its next steps" : `git ${kind} --abort and --continue`;
  return `git's notes of the ${kind} that is under way in ${where} are not as before the command: ${ways} follow what they say now. Look first: git status, git reflog`;
}

const symbolicText = ([name, to]: [string, string]) =>
  `${visible(name)} stands for ${visible(to)} now, which git itself never makes: what writes or deletes it changes ${visible(to)}. git symbolic-ref --delete ${shellWord(name)} takes it away`;

const lostReferences =
  "git's references cannot be looked at any more: they are too many, or something in .git is not as git makes it. Look before you switch or merge: git log --all --stat";

/** Commands name a commit by its id: a name may be an option, or text for a shell. */
function broughtText({ name, id, files }: Brought): string {
  const branch = visible(name);
  if (!files)
    return `${branch} has moved to new commits that could not be looked through: git diff --stat HEAD ${id} shows what they bring`;
  const [first = ""] = files;
  const shown = files.map(visible);
  const which = files.length === 1 ? shown[0] : `${shown.slice(0, 5).join(", ")}${files.length > 5 ? ` and ${files.length - 5} more` : ""}`;
  const when = id === "" ? "restore files from it or commit" : "switch to it or merge it";
  return `${branch} brings ${which}, which can run programs or set what agents may do once you ${when}. Look first: git show ${shellWord(`${id}:${visible(first)}`)}`;
}

function leftBehind(paths: string[]): string {
  const named = `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;
  return `git's index has another version now, or none, of files that rules hide from you: ${named}. The files themselves are unchanged, since nothing could write them here. Where a command has staged that, take it back (git restore --staged); where git has gone to another commit, the person brings the files in order (git restore, outside of this session). Tell them`;
}
