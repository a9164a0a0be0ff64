// What an error says, in the words of our messages.

/** The message of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the system's error about a disk means. */
export type DiskMeaning = {
  /** The second half of a sentence. */
  words: string;
  /** What a person does about it: a sentence without its full stop. */
  advice: string;
  /** The same for a place that is not chosen by the call, such as our own folder; only of errors that another folder would not have. */
  there?: string;
};

const makeRoom = { advice: "Make room there", there: "Make room there" };
const allow = { advice: "Give yourself the permission, or choose another place", there: "Give yourself the permission to write there" };

const meanings: Record<string, DiskMeaning> = {
  ENOSPC: { words: "the disk is full", ...makeRoom },
  EDQUOT: { words: "the disk quota is used up", ...makeRoom },
  EROFS: { words: "the file system is read-only", advice: "Make it writable, or choose another place", there: "Make it writable" },
  EACCES: { words: "permission denied", ...allow },
  EPERM: { words: "the system does not permit it", ...allow },
  ENOTDIR: {
    words: "a part of the path is a file",
    advice: "Move that file away, or choose another place",
    there: "Move the file away that is in its place",
  },
  EISDIR: { words: "it is a folder", advice: "Move that folder away" },
  EIO: { words: "the disk reports an error", advice: "Check that disk", there: "Check that disk" },
  ESTALE: {
    words: "the file server lost it",
    advice: "Check the file server and mount it again",
    there: "Check the file server and mount it again",
  },
  EMFILE: {
    words: "this process has too many files open",
    advice: "Raise the limit, as `ulimit -n 4096` does in a shell, and try again",
  },
  ENFILE: { words: "this machine has too many files open", advice: "End programs that you do not need, and try again" },
  ELOOP: {
    words: "it leads through a link that was put there meanwhile, or through a ring of links",
    advice: "Remove that link",
  },
  ENAMETOOLONG: { words: "the name is too long", advice: "Choose a shorter one" },
};

/** Errors that Node has no names for, with their numbers on Linux and macOS. */
const unnamed: Record<string, string> = {
  "Unknown system error -122": "EDQUOT",
  "Unknown system error -69": "EDQUOT",
  "Unknown system error -116": "ESTALE",
  "Unknown system error -70": "ESTALE",
};

/** The code of a system error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return unnamed[error.code] ?? error.code;
}

/** Undefined for errors that are not about a disk. */
export function diskErrorWords(code: string | undefined): string | undefined {
  return diskMeaning(code)?.words;
}

/** Undefined for errors that are not about a disk. */
export function diskMeaning(code: string | undefined): DiskMeaning | undefined {
  return code !== undefined && Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}

/** What a refused request says: what was found and where, what that means for the request, and what to do. */
export function faultSentence(error: unknown, consequence: string): string {
  const meaning = diskMeaning(errorCode(error));
  if (!meaning) return `${errorText(error)}. ${consequence}. Try again`;
  const path = error instanceof Error && "path" in error ? ` (${String(error.path)})` : "";
  return `${meaning.words}${path}. ${consequence}. ${meaning.advice}`;
}
