// Decides the calls of one agent: whom to ask, and what settings and team have allowed or revoked meanwhile.

import type { Call } from "../../permissions/call.ts";
import { everythingInside, type TeamGrant } from "../../permissions/grants.ts";
import type { Ask } from "../../permissions/permit.ts";
import { type Policy, rulesIn } from "../../permissions/policy.ts";
import { keptRules } from "../../settings/kept-rules.ts";
import { liveSettings } from "../../settings/live-settings.ts";
import { apart } from "../child-policy.ts";
import type { PolicyStore } from "../policy-store.ts";
import type { Permit } from "../ports/permit.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import { folderFacts, rulesOf } from "./open-policy.ts";
import { type SettingsChanges, settingsChanges } from "./settings-changes.ts";
import { settingsFiles } from "./settings-files.ts";
import type { WorkspaceRequest } from "./workspace-request.ts";

export type CallPermits = Pick<SettingsChanges, "settings" | "own" | "openFolder"> & {
  /** Decides by the current rules. If nobody can be asked, a call that needs an answer is refused. */
  decide: Permit;
  /** Whether it is refused before its repository is looked at. */
  refuses(call: Call): Promise<boolean>;
  /** Loads what the first decision needs. */
  prepare(): Promise<unknown>;
  /** Replaces who is asked and told. */
  askThrough(ask: Ask | undefined, onNotice?: (text: string) => void): void;
  /** Undefined if nobody can be asked. */
  asked(): Ask | undefined;
  /** Tells whoever is told. */
  say(text: string): void;
  /** Takes over what others have changed, and with a signal asks about what gives agents more. */
  refresh(signal?: AbortSignal): Promise<void>;
};

/** `onNewRules` is called each time the effective rules change. */
export type CallPermitParts = { store: PolicyStore; ports: WorkspacePorts; onNewRules: () => Promise<void> };

export function callPermits(request: WorkspaceRequest, { store, ports, onNewRules }: CallPermitParts): CallPermits {
  const { current: policy } = store;
  let asked: Ask | undefined;
  let say: (text: string) => void = () => {};
  let changes = 0;
  let teams = "[]";
  const changed = settingsChanges(request.settings, {
    poll: request.sentSettings ?? liveSettings(ports.disk, request.settings),
    async adopt(next) {
      const again = await rulesOf(next, request, ports);
      if (!again.ok) throw new Error(again.reason);
      store.replaceRules(again.policy);
      const { directories } = { ...again.policy, ...apart(again.policy, policy.apartFrom) };
      if (directories.some((path) => !policy.directories.includes(path))) {
        const opened = { ...policy, directories };
        store.openFolders(directories, {
          ...folderFacts(opened, request, ports),
          settingsFiles: await settingsFiles(request, opened, ports),
        });
      }
      changes++;
      await onNewRules();
    },
    follows: request.followsLead === true || request.child !== undefined,
    team: request.acceptedGrowth,
  });
  const canAsk = () => (policy.mode === "dontAsk" ? undefined : asked);
  /** Takes over what has changed in the settings and in what the team was granted. */
  const refresh = async (onNotice: (text: string) => void) => {
    await changed.refresh(onNotice, canAsk());
    const granted = request.teamGrants?.() ?? [];
    const now = JSON.stringify(granted);
    if (now === teams) return;
    teams = now;
    changes++;
    policy.grants.adoptTeam(granted.flatMap((one) => teamGrant(one, policy)));
  };
  /** Other processes write these files, without notice. */
  const untilChanged = async (signal: AbortSignal, onNotice: (text: string) => void) => {
    for (const before = changes; before === changes && !signal.aborted; ) {
      await aborted(AbortSignal.any([signal, ports.timeLimit(betweenLooksMs)]));
      if (!signal.aborted) await refresh(onNotice);
    }
  };
  const permitFor = (ask: Ask | undefined, onFailed: (reason: string) => void = () => {}) =>
    lazyPermit(ask, { request, policy, ports, onFailed, own: changed.own, refresh, untilChanged });
  let enter = permitFor(undefined);
  return {
    settings: changed.settings,
    own: changed.own,
    openFolder: changed.openFolder,
    decide: (call, signal) => enter(call, signal),
    refuses: async (call) => (await loadPermit()).isRefused(call, { policy, real: ports.files().real }),
    prepare: loadPermit,
    askThrough(ask, onNotice) {
      asked = ask && oneAtATime(ask);
      say = onNotice ?? say;
      enter = permitFor(asked, onNotice);
    },
    asked: () => asked,
    say: (text) => say(text),
    async refresh(signal) {
      await refresh(say);
      const ask = canAsk();
      if (ask && signal) await changed.settle(ask, signal);
    },
  };
}

type LazyPermit = {
  request: WorkspaceRequest;
  policy: Policy;
  ports: WorkspacePorts;
  onFailed: (reason: string) => void;
  own: SettingsChanges["own"];
  refresh: (onNotice: (text: string) => void) => Promise<void>;
  untilChanged: (signal: AbortSignal, onNotice: (text: string) => void) => Promise<void>;
};

/** The whole grammar of the shell is behind it, which only a call needs: it is loaded with the first. */
function lazyPermit(ask: Ask | undefined, { request, policy, ports, onFailed, own, refresh, untilChanged }: LazyPermit): Permit {
  const { cwd, configDir, settings } = request;
  const onKeep = (rule: string) => own({ verb: "add", rule });
  const always = keptRules({ disk: ports.disk, configDir, cwd, settings, now: ports.now, onFailed, onKeep });
  let made: Promise<Permit> | undefined;
  const make = async () => {
    const { permit } = await loadPermit();
    return permit({
      policy,
      real: ports.files().real,
      ask,
      always,
      keptByGit: ports.keptByGit,
      lostBy: async (call) => (await import("../lost-work.ts")).lostWork(call, policy.cwd, await ports.atStake()),
      changed: (signal) => untilChanged(signal, onFailed),
      team: request.teamGrants && { refresh: () => refresh(onFailed) },
      now: ports.now,
    });
  };
  return async (call, signal) => {
    made ??= make();
    return (await made)(call, signal);
  };
}

const loadPermit = () => import("../../permissions/permit.ts");

function oneAtATime(ask: Ask): Ask {
  let before: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const turn = before.then(() => ask(question, signal));
    before = turn.catch(() => undefined); // the person who was asked sees the error
    return turn;
  };
}

/** While a question is open. */
const betweenLooksMs = 300;

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** A text that is not a valid rule grants nothing. */
function teamGrant({ rule, since }: { rule: string; since: string }, policy: Policy): TeamGrant[] {
  if (rule === everythingInside) return [{ since }];
  return rulesIn([rule], policy).map((one) => ({ rule: one, since }));
}
