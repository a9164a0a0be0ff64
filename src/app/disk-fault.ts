// What is said when a disk refuses: the path, the reason and what to do.
import { diskErrorAdvice, diskErrorWords, errorCode } from "../wording/error-text.ts";

/** A system error, or what is known of one. */
export type DiskError = { code?: string; path?: string; message?: string };

/** Undefined for errors that are not about a disk. `text` and `advice` are sentences; `text` has no full stop. */
export function diskFault(error: DiskError, configDir: string): { text: string; advice: string } | undefined {
  const { path, message = "" } = error;
  const code = errorCode(error) ?? error.code ?? "";
  const advice = diskErrorAdvice(code);
  if (advice === undefined) return undefined;
  const what = path ?? (message.startsWith(`${error.code}: `) ? "a file" : undefined);
  const text = what === undefined ? message.replace(/\.$/, "") : `Cannot use ${what}: ${diskErrorWords(code)}`;
  const isOwn = placeErrors.has(code) && (path === undefined || concerns(path, configDir));
  return { text, advice: isOwn ? ownFolderAdvice(configDir) : `${advice}.` };
}

/** Errors that another folder would not have. */
const placeErrors = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "ENOTDIR", "EIO", "ESTALE"]);

const ownFolderAdvice = (configDir: string) =>
  `Sessions and teams are kept in ${configDir}: make room there and make it writable, or set TOOL_CONFIG_DIR to another folder.`;

/** Whether the path is in the configuration folder, or a folder above it, which could not be made or entered. */
function concerns(path: string, configDir: string): boolean {
  return `${path}/`.startsWith(`${configDir}/`) || `${configDir}/`.startsWith(`${path}/`);
}
