// The figures of the shell engine's fuzzing, as rows.
import type { Row } from "../bench/row.ts";
import { deniedPrograms, denyInWrappers, formCount } from "./deny-wrappers.ts";
import { constructCount } from "./shell-commands.ts";
import { compareWithBash } from "./shell-oracle.ts";

export async function shellRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const { commands, clear, allowed, ran, unnamed, crashes } = await compareWithBash({ seed, count });
  const first = unnamed.map((one) => `\n  ${JSON.stringify(one)}`).join("");
  return [
    {
      name: `bash as the oracle, ${constructCount} constructs, seed ${seed}`,
      ours: `${unnamed.length} unnamed, ${crashes.length} crashes in ${commands} commands, ${clear} of them clear, ${allowed} allowed, ${ran} programs ran${first}`,
      target: "0 unnamed, 0 crashes",
      met: unnamed.length === 0 && crashes.length === 0,
    },
  ];
}

export async function denyRows({ seed, count }: { seed: number; count: number }): Promise<Row[]> {
  const { commands, denied, asked, allowed } = denyInWrappers({ seed, count, pairs: true });
  const first = allowed[0] ? `; first: ${JSON.stringify(allowed[0])}` : "";
  return [
    {
      name: `deny rules of ${deniedPrograms.length} programs in ${formCount} forms to depth 3, seed ${seed}`,
      ours: `${allowed.length} allowed of ${commands}, ${denied} denied, ${asked} asked${first}`,
      target: "0 allowed",
      met: allowed.length === 0,
    },
  ];
}
