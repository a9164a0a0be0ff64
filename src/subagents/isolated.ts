// How an agent works apart from the session's tree: in a worktree of its own, which may be the copy of one at a place of the person's.
import { z } from "zod";

export const isolationSchema = z.union([z.literal("worktree"), z.templateLiteral(["place:", z.string().regex(/^[a-z][a-z0-9-]{0,29}$/)])]);
export type Isolated = z.infer<typeof isolationSchema>;

/** The place of its hands; undefined if they are on this machine. */
export const placeOf = (isolation: Isolated | undefined) =>
  isolation?.startsWith("place:") ? isolation.slice("place:".length) : undefined;
