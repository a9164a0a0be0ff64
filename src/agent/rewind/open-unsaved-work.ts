// The person's work that git does not have, in one session: looked after from the first command on that may change a file.
import { closedToCopies } from "../../permissions/paths/hidden.ts";
import { homeFolder } from "../../permissions/paths/places.ts";
import type { Policy } from "../../permissions/policy.ts";
import type { Analysis } from "../../shell/words/analysis.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import type { FileVersions } from "./file-versions.ts";
import { isGitAlone } from "./git-alone.ts";
import { logOf } from "./kept-copies.ts";
import { madeRemotes } from "./made-remotes.ts";
import { foreignPrograms, onlyLooks } from "./only-looks.ts";
import { shownPath } from "./rewind.ts";
import type { UnsavedWork } from "./unsaved-work.ts";

export type SessionsWork = Omit<UnsavedWork, "foresee"> & {
  /** This command may come. */
  foresee(command: Analysis): void;
  /** Whether the command is known to change no file. */
  looks(command: Analysis): boolean;
  /** Whether it is work of git alone, which the person sees in its text. */
  isGitAlone(command: Analysis): boolean;
  /** Of a member, which cannot rewind. */
  inTeam: boolean;
};

type Ports = Pick<WorkspacePorts, "files" | "unsavedFiles" | "commitStore" | "references" | "now" | "monotonicMs" | "timeLimit">;
/** `repositories`: the folder of what is known of each of them beyond a session. */
type Setup = Ports & { inTeam: boolean; repositories: string };

export function openUnsavedWork(versions: FileVersions, policy: Policy, ports: Setup): SessionsWork {
  let opened: Promise<UnsavedWork> | undefined;
  let isClosed = false;
  const open = () => (opened ??= opening(versions, policy, ports));
  const isForeign = foreignPrograms(policy);
  const looks = (command: Analysis) => onlyLooks(command, isForeign);
  return {
    looks,
    isGitAlone: (command) => isGitAlone(command, isForeign),
    inTeam: ports.inTeam,
    foresee(command) {
      if (!isClosed && !looks(command)) void open().then((work) => work.foresee());
    },
    before: async (command) => (await open()).before(command),
    beside: async (command) => (await open()).beside(command),
    looked: async () => (await open()).looked(),
    settleInterrupted: async () => (versions.disk.size(logOf(versions.folder)) === undefined ? [] : (await open()).settleInterrupted()),
    close() {
      isClosed = true;
      void opened?.then((work) => work.close());
    },
  };
}

async function opening(versions: FileVersions, policy: Policy, ports: Setup): Promise<UnsavedWork> {
  const [{ unsavedWork }, { keptCommits }, files, store] = await Promise.all([
    import("./unsaved-work.ts"),
    import("./kept-commits.ts"),
    ports.unsavedFiles(),
    ports.commitStore(),
  ]);
  const isHidden = closedToCopies(policy);
  const real = ports.files();
  return unsavedWork({
    ...ports,
    versions,
    files,
    keptCommits: keptCommits(versions, policy.cwd, { ...ports, store, remotes: madeRemotes(versions.disk, ports.repositories) }),
    read: real.read,
    roots: () => [policy.cwd, ...policy.directories],
    isClosed: (path) => isHidden(path, "file"),
    shown: (path) => shownPath(path, policy.cwd),
    async walk(root) {
      if (homeFolder(policy) !== undefined) return []; // far too much to copy
      const found = await real.walk(root, ports.timeLimit(longestWalkMs));
      return found.kind === "files" ? found.paths.map((path) => `${found.folder}/${path}`) : [];
    },
  });
}

const longestWalkMs = 5_000;
