// The order of precedence, and the shape of every verdict: on a call, on a command, on each of its parts, on a file.

/** What decided: a fixed limit, a rule, a grant, a built-in question, the mode, or the default. */
type By = "limit" | "rule" | "grant" | "built-in" | "mode" | "default";

export type Verdict = {
  decision: "allow" | "ask" | "deny";
  by: By;
  /** The rule that decided, as written, and the settings file that contains it. */
  rule?: string;
  file?: string;
  /** One sentence, without its full stop. */
  reason: string;
  /** It passes because it only looks: no rule is needed. */
  harmless?: true;
};

/** What each step says about the one thing that is judged; undefined: nothing. */
export type Steps<V> = {
  /** By a rule, or because nobody can allow it. */
  deny: () => V | undefined;
  /** A question that no rule and no grant removes: of a hook, or because the sandbox is lost. */
  insist?: () => V | undefined;
  /** The person's answer for exactly this. */
  grant?: () => V | undefined;
  ask: () => V | undefined;
  mode?: () => V | undefined;
  allow: () => V | undefined;
  otherwise: () => V;
};

/** The first step that says something decides, so a deny anywhere wins. */
export function inOrder<V extends Verdict>({ deny, insist, grant, ask, mode, allow, otherwise }: Steps<V>): V {
  return deny() ?? insist?.() ?? grant?.() ?? ask() ?? mode?.() ?? allow() ?? otherwise();
}

type Ruled = { text: string; file?: string };

const saidBy = ({ text, file }: Ruled) => ({ rule: text, ...(file !== undefined && { file }) });

/** Each of these says nothing about nothing, so that a step reads as what it asks for. */
export function denied(rule: Ruled | undefined, reason = ({ text }: Ruled) => `The rule ${text} denies it`): Verdict | undefined {
  return rule && { decision: "deny", by: "rule", ...saidBy(rule), reason: reason(rule) };
}

export function asked(rule: Ruled | undefined, reason = ({ text }: Ruled) => `The rule ${text} asks for it`): Verdict | undefined {
  return rule && { decision: "ask", by: "rule", ...saidBy(rule), reason: reason(rule) };
}

export function allowed(rule: Ruled | undefined, by: "rule" | "grant"): Verdict | undefined {
  return rule && { decision: "allow", by, ...saidBy(rule), reason: `The rule ${rule.text} allows it` };
}

type Says = { (reason: string): Verdict; (reason: string | undefined): Verdict | undefined };
const says = (decision: Verdict["decision"], by: By) =>
  ((reason: string | undefined) => (reason === undefined ? undefined : { decision, by, reason })) as Says;

export const refusal = says("deny", "limit");
/** A question that no allow rule and no mode removes. */
export const builtInAsk = says("ask", "built-in");
/** One that a rule removes. */
export const openAsk = says("ask", "default");
export const pass = says("allow", "default");
