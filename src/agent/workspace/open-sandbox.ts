// The sandbox of one agent's commands, opened at the first of them: what it may show, and what the policy learns of it.
import { relative } from "node:path";
import type { SandboxState } from "../../permissions/policy.ts";
import { hidesByName, pathClasses } from "../../permissions/sandbox/sandbox-view.ts";
import { gitVariables } from "../../secrets/environment.ts";
import { hiddenOutside } from "../hidden-outside.ts";
import type { PolicyStore } from "../policy-store.ts";
import { sandboxView } from "../ports/mounts.ts";
import type { PutAside, Sandbox } from "../ports/sandbox-port.ts";
import { openingState, stateAfterTrial, underSettings } from "../ports/sandbox-state.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import type { GitView } from "./git-view.ts";
import type { NetworkDesk } from "./network/network-desk.ts";
import { isChanging, secretPlaces } from "./secret-places.ts";
import { environmentOf, stateFolderOf, type WorkspaceRequest } from "./workspace-request.ts";

/** `made`: the sandbox if it has been created already. */
export type LazySandbox = { get(): Promise<Sandbox>; made(): Promise<Sandbox> | undefined; lossesTold: Set<string> };

type SandboxParts = {
  store: PolicyStore;
  ports: WorkspacePorts;
  repositories: GitView;
  network: NetworkDesk | undefined;
  say: (text: string) => void;
};

export function lazySandbox(request: WorkspaceRequest, { say, ...parts }: SandboxParts): LazySandbox {
  let made: Promise<Sandbox> | undefined;
  const lossesTold = request.child?.parent.lossesTold ?? new Set<string>();
  const sayLoss = (text: string) => {
    if (!lossesTold.has(text)) say(text);
    lossesTold.add(text);
  };
  return {
    get() {
      made ??= openSandbox(request, { ...parts, say, sayLoss }).catch((error: unknown) => {
        made = undefined; // the disk may accept it the next time
        throw error;
      });
      return made;
    },
    made: () => made,
    lossesTold,
  };
}

/** How commands are confined, as far as known without opening a sandbox; undefined when opening one is needed to know. */
export function knownSandbox({ sandboxFound: found, settings: { effective } }: WorkspaceRequest): SandboxState | undefined {
  if (effective.sandbox.enabled === false) return { kind: "off" };
  return found && found.kind !== "uncertain" ? underSettings(stateAfterTrial(found, found), effective.sandbox) : undefined;
}

/** For an agent without commands: how the commands of its agents are confined. */
export function sandboxOfStarted({ sandboxFound: found, settings: { effective } }: WorkspaceRequest): SandboxState {
  return found ? openingState(effective.sandbox, found) : { kind: "off" };
}

/** A lead runs no commands and needs no sandbox. */
async function openSandbox(
  { env, owner, configDir, readOnly, sandboxFound, child, settings: { effective: settings, root, files } }: WorkspaceRequest,
  { store, ports, repositories, network: desk, say, sayLoss }: SandboxParts & { sayLoss: (text: string) => void },
): Promise<Sandbox> {
  const { current: policy } = store;
  const network = settings.sandbox.network === true;
  const variables = repositories.environment(environmentOf({ env, owner }, settings));
  const { unixSockets = [] } = settings.sandbox;
  const agent = settings.keepEnvironment.includes("SSH_AUTH_SOCK") ? [env["SSH_AUTH_SOCK"] ?? ""] : [];
  const opened = unixSockets === "none" ? [] : [...agent.filter(Boolean), ...unixSockets];
  let isOpen = false; // what is lost from the start is said at the start
  const sandbox = await ports.sandbox({
    enabled: settings.sandbox.enabled !== false && !readOnly,
    cwd: policy.cwd,
    directories: policy.directories,
    repository: policy.repositoryFixed ? "fixed" : policy.apartFrom === undefined ? "whole" : branchOf(child),
    stateFolder: stateFolderOf({ configDir: policy.configDir, owner }),
    stateAfter: (trial) => stateAfterTrial(trial, sandboxFound),
    known: sandboxFound?.kind === "missing" ? sandboxFound : undefined,
    onLost(why) {
      const state = underSettings({ kind: "lost", why }, settings.sandbox);
      store.setSandbox(state);
      if (isOpen) sayLoss(lostText(why, state));
    },
    onHeld: (asides) => say(heldText(asides, policy.cwd)),
    onOpen: (paths) => say(openText(paths, policy.cwd)),
    shared: [...opened, ...(network ? ["/etc/resolv.conf"] : []), ...repositories.shared],
    tracked: repositories.tracked,
    attributes: repositories.attributes,
    env: variables,
    gitVariables: (pairs) => gitVariables(variables, pairs),
    view: (found, once) => sandboxView(policy, network || once, found),
    secretPlaces: [...secretPlaces(policy), ...["TMUX_TMPDIR", "XDG_RUNTIME_DIR"].flatMap((name) => env[name] ?? [])],
    changing: isChanging,
    settings: [configDir, `${root}/.tool`, `${root}/.toolignore`, ...files.flatMap(({ file }) => file ?? [])],
    network: desk?.requests,
    sockets: { closed: unixSockets === "none", named: socketsNamedIn(env) },
    rules: () => ({
      classOf: pathClasses(policy),
      hidesByName: hidesByName(policy),
      outside: hiddenOutside(policy),
      ownFolders: policy.ownFolders,
    }),
  });
  isOpen = true;
  store.setSandbox(underSettings(sandbox.state(), settings.sandbox), sandbox.proxied());
  return sandbox;
}

/** Apart without a branch there is nothing that it could commit to. */
const branchOf = (child: WorkspaceRequest["child"]) => (child?.branch === undefined ? "fixed" : { branch: child.branch });

const lostText = (why: string, { kind }: SandboxState) =>
  `The sandbox cannot be used any more: ${why}. ${kind === "refused" ? 'No command runs from now on, because "sandbox.required" is set.' : "Every command needs your answer from now on."}`;

/** The person may have made them, and looks for them. */
function heldText(asides: PutAside[], cwd: string): string {
  const files = asides.map(({ path, kept }) => `${relative(cwd, path)} (now ${kept})`);
  return `While a command runs, what would run later or set rights is moved away: ${files.join(", ")}. You are asked about it when the command has ended.`;
}

const openText = (paths: string[], cwd: string) =>
  `A hidden file was not there when a command that still runs started, and so that command can read it: ${paths.map((path) => relative(cwd, path)).join(", ")}. Commands that start from now on cannot.`;

/**
 * Absolute paths that may be sockets of the user's other programs, in any variable: a service in its own network namespace is not in the
 * kernel's list, which edge/shell/sandbox/unix-sockets.ts reads, and a tmux server, an ssh agent or a container service lets out of the sandbox. `/path` is SSH_AUTH_SOCK, `unix:///path` DOCKER_HOST, `unix:path=/path,guid=…`
 * (several with `;`) DBUS_SESSION_BUS_ADDRESS, `/path,pid,n` TMUX.
 */
function socketsNamedIn(env: Record<string, string | undefined>): string[] {
  const named = Object.values(env).flatMap((value) => (value ?? "").split(";").flatMap((part) => address.exec(part)?.[1] ?? []));
  return [...new Set(named)];
}

const address = /^(?:unix:(?:path=|\/\/)?)?(\/[^,\0]*)/;
