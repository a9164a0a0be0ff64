// What is shown of an agent's hands at a place, wherever the agent is shown.

export type HandsFacts = {
  place: string;
  state: "starting" | "working" | "gone";
  /** How long the hands of now took to start. */
  started_ms?: number;
  /** Of one message and its answer, measured last. */
  round_trip_ms?: number;
  /** How often hands have died. */
  restarts: number;
  sent_bytes: number;
  received_bytes: number;
};
