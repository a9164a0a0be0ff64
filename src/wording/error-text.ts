// What an error says, in the words of our messages.

/** The message of whatever was thrown. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's errors about a disk: each is the second half of a sentence. */
const words: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "the system does not permit it",
  ENOTDIR: "a part of the path is a file",
  EIO: "the disk reports an error",
  EMFILE: "this process has too many files open",
  ENFILE: "this machine has too many files open",
  ELOOP: "it leads through a link that was put there meanwhile, or through a ring of links",
  ENAMETOOLONG: "the name is too long",
};

/** Undefined for errors that are not about a disk. */
export function diskErrorWords(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(words, code) ? words[code] : undefined;
}
