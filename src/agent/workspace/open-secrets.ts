// Redacts everything that one session sends. A sub-agent shares it with the agent that started it.
import { envLines } from "../../secrets/redaction/known-secrets.ts";
import { createRedactor, type Redactor } from "../../secrets/redaction/redactor.ts";
import type { Scanner } from "../../secrets/secrets.ts";
import type { ReadCommand } from "../ports/command-reader.ts";
import type { OutboundFilter } from "../ports/outbound-filter.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import { outboundFilter } from "./outbound-filter.ts";
import type { WorkspaceRequest } from "./workspace-request.ts";

export type WorkspaceSecrets = { redactor: Redactor; scanner: Scanner; filter: OutboundFilter };

export function openSecrets(request: WorkspaceRequest, ports: WorkspacePorts, read: ReadCommand): WorkspaceSecrets {
  const { redactor, scanner } = request.child?.parent ?? ownRedactor(request, ports);
  return { redactor, scanner, filter: outboundFilter(redactor, read) };
}

function ownRedactor(
  { cwd, env, lastPlaceholder, settings }: WorkspaceRequest,
  ports: WorkspacePorts,
): Pick<WorkspaceSecrets, "redactor" | "scanner"> {
  const scanner = ports.scanner();
  const own = Object.entries(env).map(([name, value = ""]) => ({ name, value }));
  const variables = [...own, ...ports.envFileTexts(cwd).flatMap(envLines)];
  return { scanner, redactor: createRedactor({ mode: settings.effective.secrets, scanner, variables, after: lastPlaceholder }) };
}
