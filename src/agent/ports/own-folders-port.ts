// The port to the folders in which repositories keep what is git's own, whatever they are called; edge/git/repository/own-folders.ts
// implements it.

type AsGit = (path: string) => string;

/** `asGit`: a path in such a folder as it would be if it were in one called `.git` there; any other path as it is. */
export type FoundOwnFolders = {
  /** In those that are there now: for decisions. */
  asGit?: AsGit | undefined;
  ownFolders: OwnFolders;
};

/** Those that were there before a command. `learn` returns whether one of them is new. */
export type OwnFolders = { asGit: AsGit; learn(folders: string[]): boolean };
