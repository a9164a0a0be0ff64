// A question to the person as steps: what is asked comes first, then once, then the rules from the narrowest on, and no at the end. A rule is shown
// before it is written.
import type { Answer, ChoiceQuestion, PermissionQuestion, Question } from "../../permissions/questions/question.ts";
import { rulesText } from "../../wording/question-words.ts";
import { wrap } from "../line-widths.ts";
import type { Highlight } from "../markdown/render.ts";
import type { Style } from "../style.ts";
import { shortened, visibleLine } from "../visible-text.ts";
import {
  type Asking,
  bodyLines,
  choiceTextLines,
  headLines,
  questionLine,
  reasonLines,
  wholeChoiceLines,
  wholeLines,
} from "./question-text.ts";
import { type Body, type Choice, given, type HeadRoom, type Step } from "./step.ts";

/** `later`: it is put aside here and stays open elsewhere. */
export type Given = Answer | { kind: "later" };

/** `highlight`: undefined until it is loaded. */
export type QuestionSetup = Asking & { style: Style; highlight?: () => Highlight | undefined };

export function questionStep(question: Question, setup: QuestionSetup): Step<Given> {
  switch (question.kind) {
    case "permission":
      return permissionStep(question, setup);
    case "plan":
      return planStep(question, setup);
    case "choice":
      return choiceQuestionStep(question, setup);
  }
}

function permissionStep(question: PermissionQuestion, setup: QuestionSetup): Step<Given> {
  return {
    ...common(question, setup),
    body: keptBody((width, highlight) => bodyLines(question, { ...setup, width, highlight }), setup),
    moreChange: question.moreChange,
    why: (width) => reasonLines(question, { ...setup, width, highlight: undefined }),
    whole: () => wholeLines(question, { ...setup, highlight: setup.highlight?.() }),
    choices: ({ hides }) => [...onceChoices(question), ...(hides ? [] : grants(question, setup)), ...refusals(setup)],
  };
}

/** What works comes first, and is marked. */
function onceChoices({ tool, network, lacks }: PermissionQuestion): Choice<Given>[] {
  const yes = ["y", "yes"];
  const once = (words: string[]): Choice<Given> => ({
    label: tool === "Settings" ? "let them apply" : "once",
    words,
    take: given({ kind: "once" }),
  });
  if (!network) return [once(yes)];
  const open = (words: string[]): Choice<Given> => ({
    label: "once, with the network",
    brief: "once + network",
    words,
    take: given({ kind: "once", network: true }),
  });
  return lacks ? [open([...yes, "w"]), once([])] : [once(yes), open(["w"])];
}

/** Wrapping a very long command and comparing lines are slow, so a body is drawn again only for another width, or once there are colours. */
function keptBody(draw: (width: number, highlight: Highlight | undefined) => Body, { highlight }: QuestionSetup): (width: number) => Body {
  let kept: { width: number; highlight: Highlight | undefined; body: Body } | undefined;
  return (width) => {
    const now = highlight?.();
    if (kept?.width !== width || kept.highlight !== now) kept = { width, highlight: now, body: draw(width, now) };
    return kept.body;
  };
}

function planStep(question: Question, setup: QuestionSetup): Step<Given> {
  return {
    ...common(question, setup),
    choices: () => [
      { label: "go on", words: ["y", "yes"], take: given({ kind: "approve", mode: "default" }) },
      { label: "go on; edits are allowed", words: ["e"], take: given({ kind: "approve", mode: "acceptEdits" }) },
      ...refusals(setup),
    ],
  };
}

/** A question from the agent: what is typed is the answer, whatever it says. */
function choiceQuestionStep(question: ChoiceQuestion, setup: QuestionSetup): Step<Given> {
  const asker = visibleLine(setup.asker);
  return {
    ...common(question, setup),
    body: (width) => ({ must: choiceTextLines(question, { ...setup, width, highlight: undefined }), change: [] }),
    whole: () => wholeChoiceLines(question, { ...setup, highlight: undefined }),
    choices: () => [
      ...question.options.map((option) => ({ label: visibleLine(option), take: given<Given>({ kind: "chosen", option }) })),
      ...(setup.canWait ? [{ label: "later", take: given<Given>({ kind: "later" }) }] : []),
      { label: `no answer: ${asker} decides`, take: given({ kind: "no" }) },
    ],
    typing: "type another answer",
    read: (text) => given({ kind: "written", text }),
    escapeHint: "Esc no answer, and stop",
  };
}

function common(question: Question, setup: QuestionSetup): Omit<Step<Given>, "choices"> {
  return {
    head: (room: HeadRoom) => headLines(question, { ...setup, ...room, highlight: undefined }),
    line: (width: number) => questionLine(question, { ...setup, width, highlight: undefined }),
    typing: "type to say no and why",
    read: (text) => (isCommand(text) ? undefined : given({ kind: "no", reason: text })),
    notRead: "commands wait for your answer: Esc clears it",
    escape: given({ kind: "no", stop: true }),
    escapeHint: "Esc no to all, and stop",
  };
}

/** `/help`, typed by somebody who means no refusal by it. A reason may begin with a path. */
const isCommand = (text: string) => /^\/[a-z][\w:-]*$/.test(text);

function refusals({ canWait }: QuestionSetup): Choice<Given>[] {
  const no: Choice<Given> = { label: "no", words: ["n"], take: given({ kind: "no" }) };
  return canWait ? [{ label: "later", words: ["l"], take: given({ kind: "later" }) }, no] : [no];
}

type Scope = "session" | "team" | "always";
type Offers = PermissionQuestion["offers"];

/** What allows more than this once. One rule for the team or for good is shown in its label; several are a step of their own. */
function grants(question: PermissionQuestion, setup: QuestionSetup): Choice<Given>[] {
  const offers = narrowestFirst(question.offers);
  const isForTeam = question.team === true && setup.reach === "team";
  const writable = question.file === undefined ? [] : offers.filter(({ always }) => always);
  const whose = setup.canWait ? `${visibleLine(setup.asker)}, ` : "";
  return [
    ...offers.map((offer, index) => ({
      label: `${whose}this session: ${offerWords(offer.rules)}`,
      brief: offers.length > 1 ? `session: ${briefWords(offer.rules)}` : "session …",
      words: index === 0 ? ["s"] : [],
      take: given<Given>({ kind: "session", rules: offer.rules }),
      unread: ruleStep(question, { setup, scope: "session", offers: [offer] }),
    })),
    ...(isForTeam ? scopeChoice(question, { setup, scope: "team", offers }) : []),
    ...scopeChoice(question, { setup, scope: "always", offers: writable }),
    ...(question.sandbox
      ? [
          {
            label: `${isForTeam ? "the whole team" : `${whose}this session`}: what stays in the sandbox`,
            words: ["x"],
            take: given<Given>({ kind: "sandbox", for: isForTeam ? "team" : "session" }),
          },
        ]
      : []),
  ];
}

type Scoped = { setup: QuestionSetup; scope: Scope; offers: Offers };

function scopeChoice(question: PermissionQuestion, scoped: Scoped): Choice<Given>[] {
  const { scope, offers } = scoped;
  const [only, ...others] = offers;
  if (!only) return [];
  const name = scope === "team" ? "the whole team" : "always";
  const step = ruleStep(question, scoped);
  const isRead = scope === "team" && others.length === 0;
  return [
    {
      label: others.length === 0 ? `${name}: ${offerWords(only.rules)}` : `${name} …`,
      brief: `${scope} …`,
      words: [scope === "team" ? "t" : "a", name],
      take: isRead ? given({ kind: scope, rules: only.rules }) : step,
      unread: step,
    },
  ];
}

/** Which rule, and for "always" the file that it is written to. */
function ruleStep(question: PermissionQuestion, { setup, scope, offers }: Scoped): Choice<Given>["take"] {
  const { line: _, ...shared } = common(question, setup);
  const title = {
    session: "Allowed for this session:",
    team: "Allowed for the whole team:",
    always: `This is written to ${visibleLine(question.file ?? "")}:`,
  }[scope];
  return {
    kind: "step",
    step: {
      ...shared,
      head: ({ width }) => hung(setup.style.state("needs_you", `${setup.style.symbol("needs_you")} ${title}`), width),
      choices: () =>
        offers.map(({ rules }) => ({ label: ruleAndWords(rules), take: given({ kind: scope, rules }), unread: { kind: "view" } })),
      escape: { kind: "back" },
      escapeHint: "Esc back",
    },
  };
}

/** A rule that covers only this call is offered before one that covers others too. */
function narrowestFirst(offers: Offers): Offers {
  const isExact = ({ rules }: Offers[number]) => rules.every((rule) => /\(.*[^*]\)$/s.test(rule));
  return [...offers.filter(isExact), ...offers.filter((offer) => !isExact(offer))];
}

/** A rule as a person says it; any other as it is written. */
function offerWords(rules: string[]): string {
  const said = partsOfRule(rules);
  if (said === undefined) return rulesText(rules);
  if (said.verb === undefined) return said.what;
  if (said.what === "") return `every ${said.verb} inside this folder`;
  return `every ${said.verb} ${said.what.endsWith("/") ? "in" : "of"} ${said.what}`;
}

/** The rule as it is written to a file, and what it means where that is not the same words. */
function ruleAndWords(rules: string[]): string {
  const isSaid = partsOfRule(rules)?.verb === undefined;
  return isSaid ? rulesText(rules) : `${rulesText(rules)} (${offerWords(rules)})`;
}

/** Enough to tell it from the other rules for the same call. */
function briefWords(rules: string[]): string {
  const { what, verb } = partsOfRule(rules) ?? { what: rulesText(rules), verb: undefined };
  if (verb === undefined) return shortened(what, mostBrief);
  return what === "" ? "this folder" : shortened(what.replace(/^.*\/(?=.)/s, ""), mostBrief);
}

const mostBrief = 14;

/** What one rule is about: files that are read or edited, those of the whole folder if it names none, or a command. */
function partsOfRule(rules: string[]): { verb?: "edit" | "read"; what: string } | undefined {
  const [, tool = "", text = ""] = /^(Edit|Read|Bash)(?:\((.*)\))?$/s.exec(rulesText(rules)) ?? [];
  if (rules.length !== 1 || tool === "" || (tool !== "Edit" && text === "")) return undefined;
  if (tool === "Bash") return { what: text };
  const path = text.replace(/^(?:\.\/|\/(?=\/))/, "");
  return { verb: tool === "Edit" ? "edit" : "read", what: path.endsWith("/**") ? path.slice(0, -2) : path };
}

const hung = (line: string, width: number) => wrap(line, width, 2).split("\n");
