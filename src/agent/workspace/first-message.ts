// What an agent is told about the place where it works: the description of the environment, and the instruction files.
import { whyNotInstructed } from "../../permissions/paths/hidden.ts";
import type { Input } from "../events.ts";
import { type Instructions, loadInstructions, type SkippedInstructions } from "../instructions.ts";
import { environmentText } from "../ports/environment.ts";
import { decidesHosts } from "./network/network-desk.ts";
import { knownSandbox } from "./open-sandbox.ts";
import type { WorkspaceParts } from "./workspace-parts.ts";
import { isOfSolo } from "./workspace-request.ts";

/** Gathered once. */
export function environmentInput({ request, ports, store, sandbox }: WorkspaceParts): () => Promise<Input> {
  let described: Promise<string> | undefined;
  /** Without opening one for it: that is for the first command. */
  const sandboxKnown = async () => {
    if (!sandbox.made()) return knownSandbox(request);
    await sandbox.get();
    return store.current.sandbox;
  };
  return async () => {
    described ??= environmentText(
      {
        policy: store.current,
        commands: !request.readOnly,
        brief: !isOfSolo(request) && !request.readOnly,
        asksHosts: decidesHosts(request),
      },
      { ...ports, repository: ports.repositoryState, sandbox: sandboxKnown },
    );
    return { source: { kind: "environment" }, text: await described, shown: "" };
  };
}

/** Those that may be read, the most general first, without their secrets; and those that are there and may not. */
export async function instructionsOf({
  ports,
  store,
  secrets,
}: WorkspaceParts): Promise<{ found: Instructions[]; skipped: SkippedInstructions[] }> {
  const { current: policy } = store;
  const files = ports.instructionFiles((at) => whyNotInstructed(at, policy));
  const { found, skipped } = await loadInstructions(files, policy);
  const safe = found.map(async (file) => ({ ...file, text: (await secrets.redactor.text(file.text, { path: file.path })).text }));
  return { found: await Promise.all(safe), skipped };
}
