// Whether a command is known to change no file, so that nothing needs to be kept before it.
import type { Policy } from "../../permissions/policy.ts";
import { builtins } from "../../shell/uses/builtins.ts";
import type { Analysis } from "../../shell/words/analysis.ts";
import { harmlessDevice } from "../../shell/words/paths.ts";

/** `isForeign`: whether agents or repositories may have put the program of that name where it is found. */
export function onlyLooks({ commands, plain, unclear }: Analysis, isForeign: (program: string) => boolean): boolean {
  return (
    unclear === undefined &&
    plain &&
    commands.every(({ looks, files, words, unclear: why }) => {
      const program = words[0]?.value;
      const writes = files.some(({ access, path, mention }) => access === "write" && !mention && !(path && harmlessDevice.test(path)));
      return looks === true && why === undefined && !writes && !(program !== undefined && isForeign(program));
    })
  );
}

/** Which programs agents or repositories may have put where commands find them. */
export const foreignPrograms = (policy: Policy) => (program: string) =>
  !builtins.has(program) && policy.programs?.(program, () => false) === "within";
