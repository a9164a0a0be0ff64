// The source of the second step, which a place gets over the link; the build puts it beside the chunks.
import { readFileSync } from "node:fs";

export const secondStep = (): string => readFileSync(new URL("./second-step.js", import.meta.url), "utf8");
