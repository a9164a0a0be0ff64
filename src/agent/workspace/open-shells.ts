// The shells of one agent: its own, restricted by rules, sandbox and file limits, and the user's, unrestricted.

import { maskMark } from "../../permissions/paths/hidden.ts";
import type { Policy } from "../../permissions/policy.ts";
import type { Shell } from "../../tools/shell.ts";
import type { PolicyStore } from "../policy-store.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import { boundedShell } from "./bounded-shell.ts";
import type { CallPermits } from "./call-permits.ts";
import type { GitView } from "./git-view.ts";
import type { NetworkDesk } from "./network/network-desk.ts";
import type { LazySandbox } from "./open-sandbox.ts";
import { environmentOf, type WorkspaceRequest } from "./workspace-request.ts";

export type ShellParts = {
  request: WorkspaceRequest;
  ports: WorkspacePorts;
  store: PolicyStore;
  sandbox: LazySandbox;
  permits: CallPermits;
  repositories: GitView;
  /** Absent: commands in the sandbox have no network. */
  network: NetworkDesk | undefined;
};

export type Shells = { agents: Shell; persons: Shell; endAll(): Promise<void> };

export function openShells({ request, ports, store, sandbox, permits, repositories, network }: ShellParts): Shells {
  const { current: policy } = store;
  const { cwd, env, owner } = request;
  const commands = ports.shell({
    cwd,
    env: repositories.environment(environmentOf(request, request.settings.effective)),
    sandbox: sandbox.get,
    async mayStay(path, left, signal) {
      const permission = await permits.decide({ tool: "Write", input: { path }, left }, signal);
      // The answer is about what the command left there, not about a further write.
      for (const access of ["write", "read"] as const) policy.grants.usePass(access, path);
      return permission;
    },
    onKept: (text) => permits.say(text),
  });
  const own = Object.entries({ ...env, TOOL_OWNER: owner }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const persons = ports.shell({ cwd, env: Object.fromEntries(own) });
  const bounded = boundedShell(repositories.watched(network ? throughDesk(commands, network) : commands, permits.say), {
    policy,
    decide: permits.decide,
    ...missingTo(request.child),
  });
  const agents = asApproved(bounded, { policy, sandbox, repositories });
  return { agents, persons, endAll: commands.endAll }; // both have the same owner, by which what they started is found
}

const missingTo = (child: WorkspaceRequest["child"]) => (child?.onMissing ? { onMissing: child.onMissing } : {});

/** A command that a person approved runs as they allowed it, and once; an answer may have masked files only now. */
function asApproved(
  shell: Shell,
  { policy, sandbox, repositories }: Pick<ShellParts, "sandbox" | "repositories"> & { policy: Policy },
): Shell {
  let masked = maskMark(policy);
  return {
    async run(request) {
      const now = maskMark(policy);
      if (now !== masked) {
        (await sandbox.made())?.onNewRules();
        await repositories.survey(request.command);
      }
      masked = now;
      return shell.run({ ...request, ...policy.grants.takeRun(request.command) });
    },
  };
}

/** What is asked and refused on the way to the network belongs to the command, and the time of a question does not. */
function throughDesk(shell: Shell, network: NetworkDesk): Shell {
  return {
    async run(request) {
      const running = network.begin(request.command);
      const { denied = [], askedMs = 0, ms, ...ran } = await shell.run({ ...request, askedMs: running.askedMs });
      const waited = running.askedMs();
      const failed = running.failed();
      const refused = running.end();
      // Programs rarely show what a proxy says.
      for (const { subject, reason } of refused) request.onOutput(Buffer.from(`\n[${subject} was refused. ${reason}]\n`));
      for (const sentence of failed) request.onOutput(Buffer.from(`\n[${sentence}]\n`));
      const all = [...denied, ...refused];
      return {
        ...ran,
        ms: ms - waited,
        ...(all.length > 0 && { denied: all }),
        ...(askedMs + waited > 0 && { askedMs: Math.round(askedMs + waited) }),
      };
    },
  };
}
