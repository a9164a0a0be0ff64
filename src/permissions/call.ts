// A tool call as the rules see it: which tool, and what it is about.
import { resolve } from "node:path";
import type { Policy } from "./policy.ts";

export type Call = { tool: string; input: unknown };

export type Access = "read" | "write";

/** `written` is the absolute path as the call gives it, `real` the same with links followed. */
export type Subject =
  | { kind: "path"; access: Access; written: string; real: string }
  | { kind: "command"; command: string }
  | { kind: "none" }
  /** The call does not say what it is about, or it cannot be found out: the second half of a sentence. */
  | { kind: "unclear"; reason: string };

export type LocatedCall = Call & { subject: Subject };

/** Finds what a call is about. `real` follows links on the disk; a decision itself touches no disk. */
export async function locate(
  call: Call,
  places: Pick<Policy, "cwd" | "home">,
  real: (path: string) => Promise<string>,
): Promise<LocatedCall> {
  if (call.tool === "Bash") {
    const command = field(call, "command");
    return { ...call, subject: command === undefined ? unclear("it gives no command") : { kind: "command", command } };
  }
  const about = pathFields[call.tool];
  if (!about) return { ...call, subject: { kind: "none" } };
  const given = field(call, about.field) ?? about.otherwise;
  if (given === undefined) return { ...call, subject: unclear(`it gives no ${about.field}`) };
  const written = absolute(given, places);
  try {
    return { ...call, subject: { kind: "path", access: about.access, written, real: await real(written) } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...call, subject: unclear(`where "${given}" leads cannot be found out (${reason})`) };
  }
}

const pathFields: Record<string, { field: string; access: Access; otherwise?: string }> = {
  Read: { field: "path", access: "read" },
  Write: { field: "path", access: "write" },
  Edit: { field: "path", access: "write" },
  Glob: { field: "path", access: "read", otherwise: "." },
  Grep: { field: "path", access: "read", otherwise: "." },
};

function field({ input }: Call, name: string): string | undefined {
  const value = typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

const unclear = (reason: string): Subject => ({ kind: "unclear", reason });

/** `~` and `~/x` are the person's home; everything else is relative to the working directory. */
export function absolute(path: string, { cwd, home }: Pick<Policy, "cwd" | "home">): string {
  return path === "~" || path.startsWith("~/") ? resolve(home, `.${path.slice(1)}`) : resolve(cwd, path);
}
