// What takes secrets out of everything that one session sends. A sub-agent shares it with the agent that started it.
import type { CommitGate } from "../../permissions/commit-gate.ts";
import { secretScreen } from "../../permissions/screen.ts";
import { envLines } from "../../secrets/redaction/known-secrets.ts";
import { createRedactor, type Redactor } from "../../secrets/redaction/redactor.ts";
import type { Scanner } from "../../secrets/secrets.ts";
import type { Ground } from "../ground.ts";
import type { Screen } from "../screen.ts";
import type { WorkRequest } from "./work-request.ts";

export type WorkSecrets = { redactor: Redactor; scanner: Scanner; screen: Screen };

/** `isCovered`: the sandbox hides that file from commands, so none of them can commit it. */
export function openSecrets(request: WorkRequest, ground: Ground, isCovered: CommitGate["isCovered"]): WorkSecrets {
  const { redactor, scanner } = request.child?.parent ?? ownRedactor(request, ground);
  return { redactor, scanner, screen: secretScreen(redactor, { cwd: request.cwd, view: ground.commitView(), isCovered, scanner }) };
}

function ownRedactor({ cwd, env, lastPlaceholder, settings }: WorkRequest, ground: Ground): Pick<WorkSecrets, "redactor" | "scanner"> {
  const scanner = ground.scanner();
  const own = Object.entries(env).map(([name, value = ""]) => ({ name, value }));
  const variables = [...own, ...ground.envFileTexts(cwd).flatMap(envLines)];
  return { scanner, redactor: createRedactor({ mode: settings.effective.secrets, scanner, variables, after: lastPlaceholder }) };
}
