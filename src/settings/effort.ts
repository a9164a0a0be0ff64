// How much a model should think before it answers, as a user-facing setting. agent/requests/thinking.ts translates it for each model.
export const efforts = ["off", "low", "high"] as const;
export type Effort = (typeof efforts)[number];
