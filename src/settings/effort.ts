// How much a model is to think before it answers, as a person says it. What that means for each model: agent/requests/thinking.ts.
export const efforts = ["off", "low", "high"] as const;
export type Effort = (typeof efforts)[number];
