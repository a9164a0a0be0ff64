// What goes over the link once the program runs at the place: frames, one line of JSON each, and the messages in them. What a place says is
// another machine's text: its size and shape are checked here before anybody reads it.
import { z } from "zod";

const number = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/**
 * `n` numbers the messages of each side from 1; `ack` is the last that arrived; `from` is the next that is wanted, said first on each new link;
 * `ping` wants an answer.
 */
export const frameSchema = z.lazy(() =>
  z.union([
    z.strictObject({ n: number.min(1), ack: number, message: z.unknown() }),
    z.strictObject({ ack: number, ping: z.literal(true).optional() }),
    z.strictObject({ from: number.min(1) }),
  ]),
);
export type Frame = z.infer<typeof frameSchema>;

/** The longest line that either side accepts. */
export const longestFrame = 32 * 1024 * 1024;

const id = z.string().min(1).max(100);
const text = z.string().max(2_000);

/** The first line on a link to hands that were there before: whether they still are. */
export const attachedSchema = z.lazy(() => z.strictObject({ attached: z.boolean() }));

/** What home says: a call of one of the members that the hands have, its end before its time, answers, and that it needs the hands no more. */
export const orderSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("call"), id, member: z.string().max(40), args: z.unknown() }),
    z.strictObject({ kind: z.literal("cancel"), id }),
    z.strictObject({ kind: z.literal("answer"), id, answer: z.unknown() }),
    z.strictObject({ kind: z.literal("goodbye") }),
  ]),
);
export type Order = z.infer<typeof orderSchema>;

/** What the place says. It asks and never answers. */
export const replySchema = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("result"), id, value: z.unknown() }),
    z.strictObject({ kind: z.literal("failed"), id, reason: text }),
    z.strictObject({ kind: z.literal("output"), id, text: z.string() }),
    z.strictObject({ kind: z.literal("ask"), id, question: z.unknown() }),
    z.strictObject({ kind: z.literal("withdrawn"), id }),
    z.strictObject({ kind: z.literal("notice"), text }),
    z.strictObject({ kind: z.literal("commands"), commands: z.array(z.unknown()).max(1_000) }),
  ]),
);
export type Reply = z.infer<typeof replySchema>;

export const findingsSchema = z.lazy(() =>
  z.strictObject({
    version: text,
    node: text,
    platform: text,
    /** Why there is none that we would start. */
    git: z.union([z.literal("found"), z.strictObject({ missing: text })]),
    sandbox: z.union([z.literal("works"), z.strictObject({ missing: text })]),
  }),
);
export type Findings = z.infer<typeof findingsSchema>;
