// What the sandboxes of one process know of links that cover what they lead to.
import { randomUUID } from "node:crypto";
import type { Found } from "../tree.ts";
import type { CoveringLink, Link } from "./coming-back.ts";

/** What is covered because a link leads to it: at `end`, or through links below them. */
export type Led = Pick<Found, "path" | "kind" | "end" | "through">;

/** What a command may take away while it runs, and what of it comes back. */
export type Taken = { led: Led[]; links: CoveringLink[]; settings: Link[] };

/**
 * Of all sandboxes of a process: what one agent's command has removed, another's must not read. `restored`: links and files that were put back, by
 * identity. `running`: of each command. `gone`: what commands have taken away. `waiting`: links whose place something else had taken that was
 * moved away; they come back unless that may stay. `file`: by which other processes know of these, as it was written, and those of others as read.
 */
export type LinkMemory = {
  seen: Map<string, Led>;
  ofCommands: Set<string>;
  restored: Map<string, string>;
  running: Set<Taken>;
  gone: Map<string, Led>;
  waiting: Map<string, CoveringLink>;
  file: { id: string; written: string; read: string };
};

export const linkMemory = (): LinkMemory => ({
  seen: new Map(),
  ofCommands: new Set(),
  restored: new Map(),
  running: new Set(),
  gone: new Map(),
  waiting: new Map(),
  file: { id: randomUUID(), written: "", read: "" },
});

export const keyOf = ({ path, end, through }: Led) => `${path}\n${end ?? ""}\n${through?.path ?? ""}`;

/** Where the name is that covers it. */
export const nameOf = ({ path, through }: Led) => through?.path ?? path;

/** The links by which it is covered. */
export const linksOf = ({ path, through }: Led) => [path, ...(through?.links ?? [])];

/** The person has let something stay in the place of this link. */
export function forget(link: string, { gone }: LinkMemory): void {
  for (const [key, led] of gone) if (linksOf(led).includes(link)) gone.delete(key);
}
