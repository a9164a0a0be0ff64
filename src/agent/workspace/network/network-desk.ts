// Decides for the sandbox's proxy which hosts commands may reach. A question stands for all connections to its host, and its answer counts as
// long as commands run; what was refused is reported with the commands.
import { dirname, join } from "node:path";
import { isNamedHost } from "../../../permissions/built-in.ts";
import type { LocatedCall } from "../../../permissions/call.ts";
import type { Decision } from "../../../permissions/decision.ts";
import type { Policy } from "../../../permissions/policy.ts";
import { forbids, showRule } from "../../../permissions/rules.ts";
import { wantsNetwork } from "../../../shell/uses/marks.ts";
import type { DeniedOnTheWay } from "../../../tools/tool.ts";
import type { PolicyStore } from "../../policy-store.ts";
import type { FoundAddress, HostPlace, HostVerdict, NetworkRequest, Traffic } from "../../ports/network-port.ts";
import type { Permit } from "../../ports/permit.ts";
import type { WorkspacePorts } from "../../ports/workspace-ports.ts";
import { type TrafficEntry, trafficFile } from "../../traffic.ts";
import type { CallPermits } from "../call-permits.ts";
import type { WorkspaceRequest } from "../workspace-request.ts";
import { kindText, wayTo } from "./address-ways.ts";
import { packageHosts } from "./package-hosts.ts";

export type NetworkDesk = {
  requests: NetworkRequest;
  /** To be called when a command begins. */
  begin(command: string): Running;
};

export type Running = {
  /** How long questions have been open since it began, in milliseconds: time that is not the command's. */
  askedMs(): number;
  /** Which hosts were allowed and not reached so far, a sentence each without its full stop. */
  failed(): string[];
  /** What was refused while it ran. */
  end(): DeniedOnTheWay[];
};

export type NetworkDeskSetup = {
  policy: Policy;
  decide: Permit;
  /** Whether a file of that name is in the working directory, or directly below it. */
  isThere: (file: string) => boolean;
  monotonicMs: () => number;
  record: (traffic: Traffic) => void;
};

export function networkDesk({ policy, decide, isThere, monotonicMs, record }: NetworkDeskSetup): NetworkDesk {
  const running = new Map<object, { command: string; denied: Map<string, DeniedOnTheWay>; failed: Set<string> }>();
  const verdicts = new Map<string, Promise<HostVerdict>>();
  let ended = new AbortController();
  let [open, openSince, totalMs] = [0, 0, 0];
  const askedMs = () => totalMs + (open > 0 ? monotonicMs() - openSince : 0);
  const refused = (place: HostPlace, reason: string, rules?: string[]): HostVerdict => {
    const denied = { tool: "Network", subject: shownPlace(place), reason, ...(rules && { rules }) };
    for (const each of running.values()) each.denied.set(denied.subject, denied);
    return { allowed: false, reason };
  };
  const isNamed = (host: string) => isNamedHost(inUrl(host), policy);
  const asked = async (place: HostPlace, leadsTo: FoundAddress[] = []): Promise<HostVerdict> => {
    const commands = [...running.values()].map(({ command }) => command);
    const together = packageHosts(place.host, isThere);
    const input = { ...place, ...(commands.length > 0 && { command: commands.join("; ") }), ...(together && { together }) };
    if (open++ === 0) openSince = monotonicMs();
    try {
      const hook = leadsTo.length > 0 && { ask: { reason: whyAsked(place, leadsTo) } };
      const permission = await decide({ tool: "Network", input, ...(hook && { hook }) }, ended.signal);
      if (permission.allowed) return { allowed: true };
      return refused(place, permission.reason, permission.missing);
    } finally {
      if (--open === 0) totalMs += monotonicMs() - openSince;
    }
  };
  const once = (place: HostPlace, leadsTo?: FoundAddress[]) => {
    const key = [shownPlace(place), ...(leadsTo ?? []).map(({ address }) => address).sort()].join(" ");
    const verdict = verdicts.get(key) ?? asked(place, leadsTo).catch((error: unknown) => refused(place, String(error)));
    verdicts.set(key, verdict);
    return verdict;
  };
  return {
    requests: {
      decide: (place) => once(place),
      async decideAddresses(place, found) {
        const rule = policy.deny.find((one) => found.some(({ address }) => forbids(one, callTo(address))));
        if (rule) return refused(place, `${place.host} leads to an address that the rule ${showRule(rule)} denies`);
        const never = found.find((one) => wayTo(place.host, one, isNamed) === "no");
        if (never) return refused(place, whyClosed(place, never));
        const unsure = found.filter((one) => wayTo(place.host, one, isNamed) === "ask");
        return unsure.length > 0 ? once(place, unsure) : { allowed: true };
      },
      onTraffic: record,
      onRefused: (place, problem) => void refused(place, `The connection to ${place.host} was closed: ${problem}.`),
      onFailed(place, reason) {
        for (const { failed } of running.values()) failed.add(`${shownPlace(place)} was not reached: ${reason}`);
      },
      isNamed,
    },
    begin(command) {
      const self = {};
      const denied = new Map<string, DeniedOnTheWay>();
      const failed = new Set<string>();
      running.set(self, { command, denied, failed });
      const before = askedMs();
      return {
        askedMs: () => askedMs() - before,
        failed: () => [...failed],
        end() {
          running.delete(self);
          if (running.size === 0) {
            verdicts.clear();
            ended.abort();
            ended = new AbortController();
          }
          return [...denied.values()];
        },
      };
    },
  };
}

/** What the person has not been shown with the name is a question of its own, which no yes to the name answers. */
function whyAsked({ host }: HostPlace, leadsTo: FoundAddress[]): string {
  const places = leadsTo.map(({ address, kind }) => `${address}, ${kindText[kind]}`);
  const rules = leadsTo.map(({ address, kind }) => `Network(${inUrl(kind === "private" ? host : address)})`);
  return `${host} leads to ${places.join(", and ")}, which only the rule ${[...new Set(rules)].join(" with ")} opens without a question`;
}

function whyClosed({ host }: HostPlace, { address, kind }: FoundAddress): string {
  const what = host === address ? `${host} is ${kindText[kind]}` : `${host} leads to ${address}, ${kindText[kind]}`;
  if (kind === "none") return `${what}, which no rule opens`;
  return `${what}, which only a rule of the person's own for the address itself opens: Network(${inUrl(address)})`;
}

/** As rules see it. */
const callTo = (host: string): LocatedCall => ({
  tool: "Network",
  input: { host },
  subject: { kind: "host", host: inUrl(host), url: host },
});

const shownPlace = ({ host, port }: HostPlace) => `${inUrl(host)}:${port}`;

/** An address of IPv6 is in brackets. */
const inUrl = (host: string) => (host.includes(":") ? `[${host}]` : host);

type DeskParts = { store: PolicyStore; ports: WorkspacePorts; permits: CallPermits };

/**
 * Whether a session decides about each host that its commands reach: not if the settings decide about the network as a whole, or if the person is
 * behind a proxy, which ours does not go through.
 */
export function decidesHosts({ settings, env }: Pick<WorkspaceRequest, "settings" | "env">): boolean {
  return settings.effective.sandbox.network === undefined && !proxies.some((name) => env[name]);
}

/** Undefined if the session does not decide about hosts. */
export function openNetwork(request: WorkspaceRequest, { store, ports, permits }: DeskParts): NetworkDesk | undefined {
  if (!decidesHosts(request)) return undefined;
  return networkDesk({
    policy: store.current,
    decide: permits.decide,
    isThere: fileFinder(request.cwd, ports),
    monotonicMs: ports.monotonicMs,
    record: trafficRecord(request, ports),
  });
}

/** Finds a file by its name in the folder itself, and in those directly below it, as a repository of several parts has them. */
export const fileFinder =
  (cwd: string, { disk, isThere }: { disk: Pick<WorkspacePorts["disk"], "list">; isThere: WorkspacePorts["isThere"] }) =>
  (file: string): boolean =>
    isThere(join(cwd, file)) ||
    disk
      .list(cwd)
      .slice(0, mostFolders)
      .some((name) => isThere(join(cwd, name, file)));

const mostFolders = 200;

/** Adds to the session's record of what was sent and received. */
export function trafficRecord({ outputs, owner }: WorkspaceRequest, ports: WorkspacePorts, tool?: TrafficEntry["tool"]) {
  return (traffic: Traffic): void => {
    if (!outputs) return;
    const entry: TrafficEntry = { at: ports.now().toISOString(), ...traffic, owner, ...(tool && { tool }) };
    ports.disk.append(trafficFile(dirname(outputs.folder)), `${JSON.stringify(entry)}\n`);
  };
}

const proxies = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/** For `permissions check`: a command may start in the sandbox, and each host that it reaches is a question of its own. */
export function withHosts(decision: Decision, { subject }: LocatedCall, { proxied }: Policy): Decision {
  const reaches = subject.kind === "command" && subject.analysis.commands.some(wantsNetwork);
  if (!reaches || !proxied || decision.decision !== "allow") return decision;
  return {
    ...decision,
    reason: `${decision.reason}, and each host that it reaches is asked about unless a rule such as Network(example.org) decides`,
  };
}
