// What is said when a process cannot go on; when a disk refuses: the path, the reason and what to do.
import { lowerFirst } from "../wording/capital.ts";
import { diskMeaning, errorCode, errorText } from "../wording/error-text.ts";
import { asTyped } from "./controls/as-typed.ts";
import type { World } from "./world.ts";

/** A system error, or what is known of one. */
export type DiskError = { code?: string; path?: string; message?: string };

/** Undefined for errors that are not about a disk. `text` and `advice` are sentences; `text` has no full stop. */
export function diskFault(error: DiskError, configDir: string): { text: string; advice: string } | undefined {
  const { path, message = "" } = error;
  const meaning = diskMeaning(errorCode(error) ?? error.code);
  if (meaning === undefined) return undefined;
  const { words, advice, there } = meaning;
  const what = path ?? (message.startsWith(`${error.code}: `) ? "a file" : undefined);
  const text = what === undefined ? message.replace(/\.$/, "") : `Cannot use ${what}: ${words}`;
  const isOwn = path === undefined || concerns(path, configDir);
  return { text, advice: isOwn && there !== undefined ? ownFolderAdvice(configDir, there) : `${advice}.` };
}

/** With TOOL_DEBUG also where it was thrown. */
export function faultText(error: unknown, { configDir, command, env }: Pick<World, "configDir" | "command" | "env">): string {
  const fault = error instanceof Error ? diskFault(error, configDir) : undefined;
  const text = fault ? `${fault.text}. ${fault.advice}` : asTyped(errorText(error), command);
  return env["TOOL_DEBUG"] && error instanceof Error ? `${text}\n${error.stack}` : text;
}

const ownFolderAdvice = (configDir: string, there: string) =>
  `Sessions and teams are kept in ${configDir}: ${lowerFirst(there)}, or set TOOL_CONFIG_DIR to another folder.`;

/** Whether the path is in the configuration folder, or a folder above it, which could not be made or entered. */
function concerns(path: string, configDir: string): boolean {
  return `${path}/`.startsWith(`${configDir}/`) || `${configDir}/`.startsWith(`${path}/`);
}
