// What takes secrets out of everything that one session sends. A sub-agent shares it with the agent that started it.
import { secretScreen } from "../../permissions/screen.ts";
import { envLines } from "../../secrets/redaction/known-secrets.ts";
import { createRedactor, type Redactor } from "../../secrets/redaction/redactor.ts";
import type { Scanner } from "../../secrets/secrets.ts";
import type { Ground } from "../ground.ts";
import type { Screen } from "../screen.ts";
import type { WorkRequest } from "./work-request.ts";

export type WorkSecrets = { redactor: Redactor; scanner: Scanner; screen: Screen };

export function openSecrets(request: WorkRequest, ground: Ground): WorkSecrets {
  const { redactor, scanner } = request.child?.parent ?? ownRedactor(request, ground);
  return { redactor, scanner, screen: secretScreen(redactor) };
}

function ownRedactor({ cwd, env, lastPlaceholder, settings }: WorkRequest, ground: Ground): Pick<WorkSecrets, "redactor" | "scanner"> {
  const scanner = ground.scanner();
  const own = Object.entries(env).map(([name, value = ""]) => ({ name, value }));
  const variables = [...own, ...ground.envFileTexts(cwd).flatMap(envLines)];
  return { scanner, redactor: createRedactor({ mode: settings.effective.secrets, scanner, variables, after: lastPlaceholder }) };
}
