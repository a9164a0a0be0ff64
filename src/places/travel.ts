// Code on its way between home and a place.

/** `bundle`: what the other side lacks of that commit; absent if it lacks nothing. */
export type Travelling = { commit: string; bundle?: Buffer };

/** Of ignored files no more goes along, for each agent. */
export const mostIgnoredBytes = 20 * 1024 * 1024;

/** `brought`: files and folders that `.worktreeinclude` names and `pack` has; `left`: the others, with the reason. */
export type IgnoredFiles = { brought: string[]; left: { path: string; why: string }[]; pack?: Buffer };

/** `isClosed`: whether rules keep that file or folder of the tree from agents. */
export type IgnoredOrder = { isClosed: () => Promise<(path: string, kind: "file" | "folder") => boolean>; mostBytes: number };

/** Each of them throws with a sentence that says what failed. */
export type Travel = {
  /** What a working tree holds, ignored files apart, beside the commits that the other side `has`. */
  packed(folder: string, has: readonly string[]): Promise<Travelling>;
  /** The same for a working tree that holds just this commit. */
  packedCommit(folder: string, commit: string, has: readonly string[]): Promise<Travelling>;
  /** At home: the ignored files of the tree with this root that a build needs. */
  ignored(root: string, order: IgnoredOrder): Promise<IgnoredFiles>;
  /** At a place: puts them into a working tree that has none, and sees that git ignores them there. */
  bring(top: string, pack: Buffer): Promise<void>;
  /** At home: the files of this worktree become those that came, and a reference of that name keeps them. */
  takeHome(folder: string, name: string, came: Travelling): Promise<void>;
  /** At a place: the commits that it has of the repository with this key. */
  known(folder: string, key: string): Promise<string[]>;
  /** At a place: a working tree with what came. `name`: of the work. Returns the folder `within` it, in which agents work. */
  arrive(folder: string, order: Travelling & { key: string; name: string; top: string; within: string }): Promise<string>;
  /** At a place: a working tree goes on from what came; what changed in it since `from` stays, unless that changed on both sides. */
  follow(folder: string, came: Travelling & { from: string }): Promise<void>;
  /** At a place: removes that work, whatever is in it. */
  leave(folder: string, order: { key: string; name: string }): Promise<void>;
};
