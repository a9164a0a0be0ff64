// Permits every tool call before it runs: decides, asks the user if needed, and remembers the answer.
import { isDeepStrictEqual } from "node:util";
import { whyStuck } from "../shell/uses/leaves-sandbox.ts";
import { givesCode, type Mark, marksOf, wantsNetwork } from "../shell/uses/marks.ts";
import { harmlessDevice } from "../shell/words/paths.ts";
import type { ToolResult } from "../tools/tool.ts";
import { lowerFirst } from "../wording/capital.ts";
import { errorText } from "../wording/error-text.ts";
import { settledBy } from "../wording/question-words.ts";
import { shellWord } from "../wording/shell-word.ts";
import { type Call, type LocatedCall, locate } from "./call.ts";
import { openedSettings, wordsOf } from "./commands/command-decision.ts";
import { type KeptByGit, noteMade, withKept } from "./commands/kept-files.ts";
import { type Decision, decide } from "./decision.ts";
import { alsoGranted } from "./grants.ts";
import { isMasked } from "./paths/hidden.ts";
import { isOpen, placeOf } from "./paths/places.ts";
import { containedBy, type Policy, rulesIn } from "./policy.ts";
import { exactText, type Offer, offers, suggested } from "./questions/offers.ts";
import { type Answer, type Choices, fits, type Question, question } from "./questions/question.ts";
import { exactRule, ruleText, saysWhatItMeans, showRule } from "./rules.ts";

type Permission = { allowed: true } | { allowed: false; reason: string; obstacle?: ToolResult; missing?: string[] };
export type Permit = (call: Call, signal: AbortSignal) => Promise<Permission>;

/** Asks the user. The question closes when its signal aborts; undefined if nobody has answered by then. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer | undefined>;

export type KeptRules = {
  /** The file as shown to the user before anything is written. */
  file: string;
  /** Adds the rule to that file. Throws the reason if that is not possible. */
  addRule(rule: string): void | Promise<void>;
  onFailed(reason: string): void;
};

export type PermitSetup = {
  policy: Policy;
  /** Follows links, also for paths that do not exist yet. */
  real: (path: string) => Promise<string>;
  ask: Ask | undefined;
  /** Absent if nothing can be allowed for longer than a session. */
  always?: KeptRules | undefined;
  /** Whether removing a file loses nothing; absent: it may. */
  keptByGit?: KeptByGit | undefined;
  /** What a command would lose, as a sentence for its question; undefined if nothing is found. */
  lostBy?: ((call: LocatedCall) => Promise<string | undefined>) | undefined;
  /** Resolves when rules or grants have changed since it was called, or when the signal aborts. */
  changed?: (signal: AbortSignal) => Promise<void>;
  /** Answers can be for a whole team; this reads them again. */
  team?: { refresh(): Promise<unknown> } | undefined;
  /** The time of a grant; absent if nobody is asked, so that nothing is granted. */
  now?: () => Date;
};

/** Whether the call is refused whatever its repository is like: what is found there only adds to what is asked or refused. */
export async function isRefused(call: Call, { policy, real }: Pick<PermitSetup, "policy" | "real">): Promise<boolean> {
  return decide(await locate(call, policy, real), policy).decision === "deny";
}

/** Questions are asked one after the other, and each is decided again before it is asked: an earlier answer may have settled it. */
export function permit(setup: PermitSetup): Permit {
  let asking: Promise<unknown> = Promise.resolve();
  return async (call, signal) => {
    const { policy, ask } = setup;
    const located = await locate(call, policy, setup.real);
    const refused = decide(located, policy);
    if (refused.decision === "deny") return settled(located, refused, setup); // no repository is looked at for it
    const look = () => withKept(located, policy, setup.keptByGit);
    const settle = async (decision: Decision) => {
      const permission = settled(await look(), decision, setup);
      if (permission.allowed) await noteMade(located, policy, setup.keptByGit);
      return permission;
    };
    if (located.subject.kind === "command") policy.grants.setRun(located.subject.command, openedSettings(located.subject, policy));
    noteWhere(located, policy);
    const decision = decide(await look(), policy);
    if (decision.decision !== "ask" || !ask) return settle(decision);
    const turn = asking.then(() => put({ located, look, settle, ask, signal }, setup));
    asking = turn.catch(() => undefined); // the caller gets the error; the next question is asked anyway
    return turn;
  };
}

type Asking = {
  located: LocatedCall;
  look: () => Promise<LocatedCall>;
  settle: (decision: Decision) => Promise<Permission>;
  ask: Ask;
  signal: AbortSignal;
};

async function put({ located, look, settle, ask, signal }: Asking, setup: PermitSetup): Promise<Permission> {
  const { policy, always } = setup;
  const seen = await look();
  noteWhere(located, policy); // it may have waited for other questions
  const now = decide(seen, policy);
  if (now.decision !== "ask") return settle(now);
  if (signal.aborted) return settle(unanswered);
  const obstacle = await located.obstacle?.();
  if (obstacle) return { allowed: false, reason: obstacle.text, obstacle };
  const offered = located.left ? [] : offers(seen, now, policy); // it is about existing files, not about future calls
  const asked = question(located, {
    decision: now,
    marks: (part) => partMarks(located, policy, part),
    offers: offered,
    file: always?.file,
    replaces: await located.replaces?.(),
    loses: await setup.lostBy?.(seen),
    choices: { ...choicesOf(seen, policy), ...(setup.team && !located.left && { team: true }) },
  });
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const answering = ask(asked, ended);
  const answer = await Promise.race([answering, settlement(look, { ...setup, signal: ended })]);
  if (!answer) return settle(unanswered);
  if ("decision" in answer) {
    over.abort(settledBy(answer));
    await answering.catch(() => undefined); // its question closes without an answer
    return settle(answer);
  }
  if (!fits(asked, answer)) return settle(answered({ kind: "no", reason: `"${answer.kind}" is not an answer to this question` }));
  await remember(answer, offered, setup);
  if (answer.kind !== "no") allowRun(seen, answer, policy);
  return settle(answered(answer));
}

/** The sandbox may be lost between a decision and the run. */
function noteWhere({ subject }: LocatedCall, { grants, sandbox }: Policy): void {
  if (subject.kind === "command") grants.setInside(subject.command, sandbox.kind === "active");
}

/** The marks on the part at this index of the decision's. */
function partMarks({ subject }: LocatedCall, policy: Policy, part: number): Mark[] {
  const command = subject.kind === "command" ? subject.analysis.commands[part] : undefined;
  if (subject.kind !== "command" || !command) return [];
  const isOutside = command.files.some(({ path, mention }) => {
    const at = path === undefined || mention === "possible" || harmlessDevice.test(path) ? undefined : subject.files.get(path);
    return at !== undefined && !placeOf(at, policy).inside;
  });
  return [...marksOf(command), ...(isOutside ? (["outside"] as const) : []), ...(givesCode(command) ? (["any code"] as const) : [])];
}

/** Resolves with the decision once new rules or grants make the question unnecessary; never, if they do not. */
async function settlement(
  look: () => Promise<LocatedCall>,
  { policy, changed, signal }: PermitSetup & { signal: AbortSignal },
): Promise<Decision> {
  while (changed && !signal.aborted) {
    await changed(signal);
    const now = signal.aborted ? undefined : decide(await look(), policy);
    if (now && now.decision !== "ask") return now;
  }
  return new Promise(() => {});
}

/** What is possible in addition to once, the offered rules and no. */
function choicesOf(call: LocatedCall, policy: Policy): Choices {
  const edits = decide(call, { ...policy, mode: "acceptEdits" }).decision === "allow";
  return { ...sandboxChoices(call, policy), ...(edits && { edits }), ...(containedBy(policy) && { contained: true }) };
}

function sandboxChoices(call: LocatedCall, policy: Policy): Choices {
  const { subject } = call;
  if (policy.sandbox.kind !== "active" || subject.kind !== "command" || policy.network) return {};
  const inside = { ...policy, grants: alsoGranted(policy.grants, { sandbox: true }) };
  const { commands } = subject.analysis;
  const ssh = commands.some((command) => whyStuck(command, policy.overSsh) !== undefined);
  const wants = ssh || commands.some(wantsNetwork);
  const lacks = ssh ? "ssh" : policy.proxied ? undefined : "network";
  return {
    ...(wants && { network: true, ...(lacks && { lacks }) }),
    ...(!containedBy(policy) && decide(call, inside).decision === "allow" && { sandbox: true }),
  };
}

/** An approved command runs as the user saw it: with the network, and with the files that it names visible, and those that it changes writable. */
function allowRun({ subject }: LocatedCall, answer: Answer, policy: Policy): void {
  if (subject.kind !== "command") return;
  const shown = [...subject.files.values()].filter((at) => isMasked(at, policy)).map(({ real }) => real);
  const network = answer.kind === "once" && answer.network === true;
  const others = policy.ownFiles !== undefined;
  const { commands } = subject.analysis;
  const uses = commands.flatMap(({ files }) => files.filter(({ access, mention }) => access === "write" && mention !== "possible"));
  const written = uses
    .flatMap(({ path = "" }) => subject.files.get(path) ?? [])
    .filter((at) => placeOf(at, policy).protected !== undefined);
  const changes = { paths: written.map(({ real }) => real), words: wordsOf(commands) };
  const pass = { ...(network && { network }), ...(others && { others }), shown, ...(written.length > 0 && { changes }) };
  if (network || others || shown.length > 0 || written.length > 0) policy.grants.setRun(subject.command, pass);
}

/** The user's yes applies to this session even if it cannot be written for later ones. */
async function remember(answer: Answer, offered: Offer[], { policy, always, team, now }: PermitSetup): Promise<void> {
  const since = now && { since: now().toISOString() };
  if (answer.kind === "team" || (answer.kind === "sandbox" && answer.for === "team")) return void (await team?.refresh());
  if (answer.kind === "sandbox") policy.grants.grant(undefined, { kind: "session", ...since });
  if (answer.kind !== "session" && answer.kind !== "always") return;
  const taken = offered.find(({ texts }) => isDeepStrictEqual(texts, answer.rules));
  for (const [index, rule] of (taken?.rules ?? []).entries()) {
    const kept = answer.kind === "always" && always ? await keep(answer.rules[index]!, always) : undefined;
    policy.grants.grant(rule, kept ? { kind: "always", ...since, file: kept } : { kind: "session", ...since });
  }
}

/** Resolves with the file; undefined if the rule could not be written there. */
async function keep(rule: string, always: KeptRules): Promise<string | undefined> {
  try {
    await always.addRule(rule);
    return always.file;
  } catch (error) {
    const why = errorText(error);
    always.onFailed(`Cannot write ${rule} to ${always.file}: ${why}. It applies to this session only.`);
    return undefined;
  }
}

const unanswered: Decision = { decision: "deny", by: "limit", reason: "The call was interrupted before anybody answered" };

function answered(answer: Answer): Decision {
  if (answer.kind !== "no") return { decision: "allow", by: "grant", reason: "A person allowed it" };
  if (answer.stop) return { decision: "deny", by: "grant", reason: "The person said no to all that was asked, and stopped the turn" };
  return { decision: "deny", by: "grant", reason: answer.reason ? `The person said no: ${answer.reason}` : "The person said no" };
}

/** What was allowed beyond the guard's own limits gets a pass for this real path alone: a link swapped in now leads nowhere. */
function settled(call: LocatedCall, decision: Decision, { policy }: PermitSetup): Permission {
  if (decision.decision === "allow") {
    const { subject } = call;
    if (subject.kind === "path" && !isOpen(placeOf(subject, policy), subject.access)) policy.grants.givePass(subject.access, subject.real);
    return { allowed: true };
  }
  if (decision.decision === "deny") return { allowed: false, reason: `${decision.reason}.` };
  const { missing, wider } = decision.by === "default" ? helping(call, decision, policy) : lifting(call, decision, policy);
  return { allowed: false, reason: nobodyToAsk(decision, { missing, wider }), missing };
}

/** The rules that cover least, and others that cover more; empty if there are none. */
type Helping = { missing: string[]; wider: string[] };

function nobodyToAsk({ reason }: Decision, { missing, wider }: Helping): string {
  const flags = (texts: string[]) => texts.map((text) => `--allow ${shellWord(text)}`).join(" ");
  const more = wider.length > 0 ? `, or with others like it by ${flags(wider)}` : "";
  const way =
    missing.length > 0 ? `It would be allowed by ${flags(missing)}${more}` : "Only a person can allow it, in an interactive session";
  return `Permission is missing and nobody can be asked here: ${lowerFirst(reason)}. ${way}.`;
}

/** The rules of the person's own that lift a built-in question: for a file by its name, or for each part of a command; empty if none do. */
function lifting(call: LocatedCall, { parts = [] }: Decision, policy: Policy): Helping {
  const exact = call.subject.kind === "path" ? exactRule(call.tool, call.subject) : undefined;
  const texts = exact ? [ruleText(exact, policy)] : parts.flatMap(({ text, harmless }) => (harmless ? [] : exactText(text)));
  const rules = rulesIn(texts, policy).map((rule) => ({ ...rule, scope: "command line" as const }));
  const lifts = decide(call, { ...policy, allow: [...policy.allow, ...rules] }).decision === "allow";
  return { missing: lifts ? rules.map(showRule) : [], wider: [] };
}

/** As a person would allow it; for a write the folder of the file. If no rule says what it means, only the whole tool can be named. */
function helping(call: LocatedCall, decision: Decision, policy: Policy): Helping {
  const { subject } = call;
  const offered = subject.kind === "command" || subject.kind === "path" ? offers(call, decision, policy) : [];
  const [first, second] = offered;
  if (subject.kind === "command" && first)
    return second ? { missing: second.texts, wider: first.texts } : { missing: first.texts, wider: [] };
  const best = offered.length > 2 ? second : first;
  if (best) return { missing: best.texts, wider: [] };
  const suggestion = suggested(call, decision);
  return { missing: [suggestion && saysWhatItMeans(suggestion) ? showRule(suggestion) : call.tool], wider: [] };
}
