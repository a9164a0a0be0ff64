// The tools whose calls are about a file or a folder: one row makes a tool's rules take paths, and puts it under those for Read or Edit.
import type { Access } from "./call.ts";

/** `file`: always about a file. `otherwise`: what a call without a path is about. */
export type PathTool = { access: Access; file?: true; otherwise?: string };

export const pathTools: Readonly<Record<string, PathTool>> = {
  Read: { access: "read", file: true },
  Write: { access: "write", file: true },
  Edit: { access: "write", file: true },
  Glob: { access: "read", otherwise: "." },
  Grep: { access: "read", otherwise: "." },
};

export const pathToolNames: readonly string[] = Object.keys(pathTools);

/** Whether a rule about one tool is about the other too: Read covers every way to read, and Edit every way to write. */
export function coversTool(ruled: string, tool: string): boolean {
  const access = ruled === "Read" ? "read" : ruled === "Edit" ? "write" : undefined;
  return ruled === tool || (access !== undefined && pathTools[tool]?.access === access);
}
