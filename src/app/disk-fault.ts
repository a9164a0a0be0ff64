// What is said when a disk refuses: the path, the reason and what to do.
import { diskErrorWords } from "../wording/error-text.ts";

/** A system error, or what is known of one. */
export type DiskError = { code?: string; path?: string; message?: string };

/** Undefined for errors that are not about a disk. `text` and `advice` are sentences; `text` has no full stop. */
export function diskFault({ code = "", path, message = "" }: DiskError, configDir: string): { text: string; advice: string } | undefined {
  const advice = advices[code] ?? tooManyFiles[code];
  if (advice === undefined) return undefined;
  const what = path ?? (message.startsWith(`${code}: `) ? "a file" : undefined);
  const text = what === undefined ? message.replace(/\.$/, "") : `Cannot use ${what}: ${diskErrorWords(code)}`;
  const isOwn = code in advices && (path === undefined || concerns(path, configDir));
  return { text, advice: isOwn ? ownFolderAdvice(configDir) : advice };
}

const ownFolderAdvice = (configDir: string) =>
  `Sessions and teams are kept in ${configDir}: make room there and make it writable, or set TOOL_CONFIG_DIR to another folder.`;

/** Whether the path is in the configuration folder, or a folder above it, which could not be made or entered. */
function concerns(path: string, configDir: string): boolean {
  return `${path}/`.startsWith(`${configDir}/`) || `${configDir}/`.startsWith(`${path}/`);
}

const allow = "Give yourself the permission, or choose another place.";

const advices: Record<string, string> = {
  ENOSPC: "Make room there.",
  EDQUOT: "Make room there.",
  EROFS: "Make it writable, or choose another place.",
  EACCES: allow,
  EPERM: allow,
  ENOTDIR: "Move that file away, or choose another place.",
  EIO: "Check that disk.",
};

/** Another folder would not help. */
const tooManyFiles: Record<string, string> = {
  EMFILE: "Raise the limit, as `ulimit -n 4096` does in a shell, and try again.",
  ENFILE: "End programs that you do not need, and try again.",
};
