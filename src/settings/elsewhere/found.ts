// What another agent's file means here: what can be taken over, what then means something else, and what cannot.

/** `path` leads to the value in a settings file; lists and groups of hooks are added to, everything else is set. */
export type Addition = { path: readonly string[]; value: unknown; shown: string };

/** `why` is a sentence. */
export type Remark = { what: string; why: string };

export type Found = { add: Addition[]; changed: Remark[]; leftOut: Remark[] };

export const nothing: Found = { add: [], changed: [], leftOut: [] };

export const together = (all: readonly Found[]): Found => ({
  add: all.flatMap(({ add }) => add),
  changed: all.flatMap(({ changed }) => changed),
  leftOut: all.flatMap(({ leftOut }) => leftOut),
});

export const leftOut = (what: string, why: string): Found => ({ ...nothing, leftOut: [{ what, why }] });
