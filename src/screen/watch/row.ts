// Everything that runs on this machine as rows: which there are is gathered elsewhere, here is their order.
import type { DisplayHandle } from "../../team/display/display.ts";
import type { State } from "../style.ts";

export type RowKind = "team" | "member" | "session" | "agent" | "batch" | "unit";

export type WatchRow = {
  /** The same row at the next look. */
  id: string;
  kind: RowKind;
  /** Below its root: `ada`. */
  name: string;
  /** Alone: `atlas/ada`. */
  fullName: string;
  /** The id of the team, session or batch that it belongs to; absent for those themselves. */
  root?: string;
  state: State;
  words: string;
  /** ISO 8601, UTC: since when it is in that state; null when nobody knows. */
  since: string | null;
  /** What it does now, or what it asks. */
  now: string;
  /** Who must do something before it can go on: names, or `you`. */
  waitsFor: string[];
  folder: string;
  turns: number | null;
  tokens: number | null;
  /** Since it began; null when a price is not known. */
  costUsd: number | null;
  pid: number | null;
  /** A durable question, which can be answered from anywhere. */
  question?: { in: { team: string } | { session: string; folder: string }; request: string };
  transcript?: string;
  pane?: Extract<DisplayHandle, { kind: "tmux" }>;
  /** A command that shows it or goes on with it, where nothing here does. */
  command?: string;
};

export type Snapshot = {
  at: string;
  rows: WatchRow[];
  /** What all requests of today have cost, those of sessions that have ended included. `isPartial`: some had a model without a known price. */
  today: { costUsd: number; isPartial: boolean };
};

/** Rows that need the person come first, the longest waiting one on top; then each root with the rest of its rows below, in a stable order. */
export function ordered(rows: readonly WatchRow[]): WatchRow[] {
  const needing = rows.filter(({ state }) => state === "needs_you").toSorted((a, b) => (a.since ?? "").localeCompare(b.since ?? ""));
  const others = rows.filter(({ state }) => state !== "needs_you");
  const roots = others.filter(({ root }) => root === undefined);
  const below = (id: string) => others.filter(({ root }) => root === id);
  const placed = new Set(roots.map(({ id }) => id));
  const orphans = others.filter(({ root }) => root !== undefined && !placed.has(root)); // their root needs the person itself
  return [...needing, ...orphans, ...roots.flatMap((root) => [root, ...below(root.id)])];
}

/** Whether it stands below its root, and not alone. */
export const isBelowRoot = (row: WatchRow, all: readonly WatchRow[]): boolean =>
  row.root !== undefined && row.state !== "needs_you" && all.some(({ id, state }) => id === row.root && state !== "needs_you");
