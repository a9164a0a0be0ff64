// What is said when a disk refuses: the path, the reason and what to do.

/** A system error, or what is known of one. */
export type DiskError = { code?: string; path?: string; message?: string };

/** Undefined for errors that are not about a disk. `text` and `advice` are sentences; `text` has no full stop. */
export function diskFault({ code = "", path, message = "" }: DiskError, configDir: string): { text: string; advice: string } | undefined {
  const refusal = refusals[code];
  if (refusal === undefined) return undefined;
  const text = path === undefined ? message.replace(/\.$/, "") : `Cannot use ${path}: ${refusal.why}`;
  return { text, advice: path === undefined || concerns(path, configDir) ? ownFolderAdvice(configDir) : refusal.advice };
}

const ownFolderAdvice = (configDir: string) =>
  `Sessions and teams are kept in ${configDir}: make room there and make it writable, or set TOOL_CONFIG_DIR to another folder.`;

/** Whether the path is in the configuration folder, or a folder above it, which could not be made or entered. */
function concerns(path: string, configDir: string): boolean {
  return `${path}/`.startsWith(`${configDir}/`) || `${configDir}/`.startsWith(`${path}/`);
}

const makeRoom = "Make room there.";
const allow = "Give yourself the permission, or choose another place.";

const refusals: Record<string, { why: string; advice: string }> = {
  ENOSPC: { why: "the disk is full", advice: makeRoom },
  EDQUOT: { why: "the disk quota is used up", advice: makeRoom },
  EROFS: { why: "the file system is read-only", advice: "Make it writable, or choose another place." },
  EACCES: { why: "the system denies permission", advice: allow },
  EPERM: { why: "the system does not permit it", advice: allow },
  ENOTDIR: { why: "a part of the path is a file", advice: "Move that file away, or choose another place." },
  EIO: { why: "the disk reports an error", advice: "Check that disk." },
};
