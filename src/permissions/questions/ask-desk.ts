// Passes an agent's own question to the user. An answer grants nothing.
import type { AskDesk } from "../../tools/ask-user.ts";
import type { Ask } from "../permit.ts";
import type { Policy } from "../policy.ts";
import { reasonOfNo } from "./question.ts";

/** `ask` is looked up for each question: undefined if nobody can be asked. In the mode dontAsk nobody is. */
export function askDesk(policy: Pick<Policy, "mode">, ask: () => Ask | undefined): AskDesk {
  return {
    async ask({ text, options, call }, signal) {
      const put = policy.mode === "dontAsk" ? undefined : ask();
      if (!put) return { kind: "nobody" };
      const answer = await put({ kind: "choice", text, options, ...(call !== undefined && { call }) }, signal);
      if (answer?.kind === "chosen" || answer?.kind === "written") return answer;
      return { kind: "none", reason: reasonOfNo(answer) };
    },
  };
}
