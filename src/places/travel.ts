// Code on its way between home and a place.

/** `bundle`: what the other side lacks of that commit; absent if it lacks nothing. */
export type Travelling = { commit: string; bundle?: Buffer };

/** Each of them throws with a sentence that says what failed. */
export type Travel = {
  /** What a working tree holds, ignored files apart, beside the commits that the other side `has`. */
  packed(folder: string, has: readonly string[]): Promise<Travelling>;
  /** The same for a working tree that holds just this commit. */
  packedCommit(folder: string, commit: string, has: readonly string[]): Promise<Travelling>;
  /** At home: the files of this worktree become those that came, and a reference of that name keeps them. */
  takeHome(folder: string, name: string, came: Travelling): Promise<void>;
  /** At a place: the commits that it has of the repository with this key. */
  known(folder: string, key: string): Promise<string[]>;
  /** At a place: a working tree with what came. `name`: of the work. */
  arrive(folder: string, order: Travelling & { key: string; name: string; top: string }): Promise<void>;
  /** At a place: a working tree goes on from what came; what changed in it since `from` stays, unless that changed on both sides. */
  follow(folder: string, came: Travelling & { from: string }): Promise<void>;
  /** At a place: removes that work, whatever is in it. */
  leave(folder: string, order: { key: string; name: string }): Promise<void>;
};
