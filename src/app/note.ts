// Prints a line of ours to standard error, for a person who starts or resumes something.
import { visibleLine } from "../screen/visible-text.ts";
import type { World } from "./world.ts";

export const note = ({ stderr }: Pick<World, "stderr">, text: string) => stderr.write(`tool: ${visibleLine(text)}\n`);
