// What is shown of an agent's hands at a place, wherever the agent is shown.
import { z } from "zod";

export const handsFactsSchema = z.object({
  place: z.string(),
  state: z.enum(["starting", "working", "gone"]),
  /** How long the hands of now took to start. */
  started_ms: z.number().optional(),
  /** Of one message and its answer, measured last. */
  round_trip_ms: z.number().optional(),
  /** How often hands have died. */
  restarts: z.number(),
  sent_bytes: z.number(),
  received_bytes: z.number(),
});
export type HandsFacts = z.infer<typeof handsFactsSchema>;
