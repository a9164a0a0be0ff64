// A question to the person with its choices: each has a letter, and arrows move between them. It has steps: a rule is shown before it is written, and
// a reason is typed after "no".
import { Input, matchesKey } from "@earendil-works/pi-tui";
import {
  type Answer,
  type ChoiceQuestion,
  type PermissionQuestion,
  type Question,
  rulesText,
} from "../../permissions/questions/question.ts";
import type { Step } from "../keys/question-keys.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";
import type { QuestionDialog } from "./dialog.ts";
import {
  type Below,
  type ChoiceView,
  choiceLines,
  fullest,
  type Marked,
  markedBeside,
  questionLines,
  stepOf,
  type View,
} from "./question-layout.ts";
import { type Asking, type Body, bodyLines, choiceTextLines, headLines, hung, type Look, moreLines, wholeText } from "./question-text.ts";

/** `later`: it is put aside here and stays open elsewhere. */
export type Given = Answer | { kind: "later" };

export type QuestionSetup = Asking & {
  style: Style;
  /** Prints finished text that is too long for the question. */
  print: (text: string) => void;
};

/** `take`: the answer, or undefined if the choice only leads to another step. */
export type Choice = { key: string; label: string; take: () => Given | undefined };

export function questionDialog(question: Question, setup: QuestionSetup): QuestionDialog<Given> {
  const permission = question.kind === "permission" ? question : undefined;
  const reason = createReason();
  const rules = createRuleChoice(permission, setup.reach);
  let step: Step = "choose";
  let marked: Marked | undefined;
  let view: View = fullest;
  let body: (Body & { width: number }) | undefined;

  const leads = { goTo, showAll };
  const choices = (shown = view): Choice[] => {
    if (question.kind === "permission") return permissionChoices(question, { setup, rules, shown, ...leads });
    return question.kind === "plan" ? planChoices(setup, leads) : optionChoices(question, { setup, ...leads });
  };

  function goTo(next: Step): undefined {
    step = next;
    marked = undefined;
  }

  function showAll(): undefined {
    if (permission) setup.print(wholeText(permission, setup));
    marked = undefined;
  }

  const below: Below = (shown, width, place) => {
    const { style } = setup;
    switch (step) {
      case "choose":
        return [
          ...(shown.offers ? rules.lines(style, { width, view: shown }) : []),
          ...choiceLines(choices(shown), { marked, style, width, view: shown, line: place.line, ...hintsOf(question) }),
        ];
      case "confirm":
        return confirmLines({ rules, width, shown, style, file: permission?.file });
      case "reason":
        return [...hung(`  ${typedFor(question, setup)}`, width), ...reason.lines(width)];
    }
  };

  return {
    step: () => step,
    isChoice: (key) => [...choices().map((each) => each.key), ...(permission ? grantingKeys : [])].includes(key),
    mark(letter) {
      step = "choose";
      marked = letter === undefined ? undefined : { key: letter, byLetter: true };
    },
    move(key) {
      const by = stepOf(key);
      const vertical = matchesKey(key, "up") || matchesKey(key, "down");
      if (vertical && view.offers && rules.canMove()) rules.move(by);
      else if (step === "choose") marked = markedBeside(choices(), marked, by);
    },
    choose() {
      if (step === "reason") return answerTyped(question, reason.text());
      const offer = rules.chosen();
      if (step === "confirm") return offer?.always ? { given: { kind: "always", rules: offer.rules } } : undefined;
      const given = choices()
        .find(({ key }) => key === marked?.key)
        ?.take();
      return given && { given };
    },
    leave() {
      if (step === "reason" && question.kind !== "choice") return { given: { kind: "no" } };
      if (step === "choose") return { given: { kind: "no", stop: true } };
      step = "choose";
      return undefined;
    },
    onReason: reason.onKey,
    lines(width, rows, place) {
      const look = { ...setup, width, more: place.more };
      if (question.kind === "choice") return choiceQuestionLines(question, { look, rows, below: (shown) => below(shown, width, place) });
      if (!permission) return ["", ...headLines(question, look), ...below(fullest, width, place)];
      if (body?.width !== width) body = { width, ...bodyLines(permission, look) }; // wrapping a very long command is slow
      const drawn = questionLines(permission, { look, rows, place, body, below });
      view = drawn.view;
      return drawn.lines;
    },
  };
}

type Leads = { goTo: (step: Step) => undefined; showAll: () => undefined };
type RuleChoice = ReturnType<typeof createRuleChoice>;
type Offered = Leads & { setup: QuestionSetup; rules: RuleChoice; shown: View };

function permissionChoices(asked: PermissionQuestion, { setup, rules, shown, goTo, showAll }: Offered): Choice[] {
  const offer = shown.offers ? rules.chosen() : undefined;
  const inline = offer && !rules.isListed() ? `: ${rulesText(offer.rules)}` : "";
  const always = offer?.always === true && asked.file !== undefined;
  const team = asked.team === true && setup.reach === "team";
  const whose = setup.canWait ? `${visibleLine(setup.asker)}, ` : "";
  return [
    choice("y", asked.tool === "Settings" ? "let them apply" : "once", () => ({ kind: "once" })),
    asked.network && choice("w", "once, with the network", () => ({ kind: "once", network: true })),
    offer && choice("s", `${whose}this session${always ? "" : inline}`, () => ({ kind: "session", rules: offer.rules })),
    offer && team && choice("t", "the team", () => ({ kind: "team", rules: offer.rules })),
    always && choice("a", `always${inline}`, () => goTo("confirm")),
    asked.sandbox && choice("x", "everything that stays in the sandbox", () => ({ kind: "sandbox", for: team ? "team" : "session" })),
    shown.hides && choice("v", "show all of it", showAll),
    ...refusals(setup, goTo),
  ].filter((each) => each !== undefined && each !== false);
}

function planChoices(setup: QuestionSetup, { goTo }: Leads): Choice[] {
  return [
    choice("y", "go on", () => ({ kind: "approve", mode: "default" })),
    choice("e", "approve; edits are allowed", () => ({ kind: "approve", mode: "acceptEdits" })),
    ...refusals(setup, goTo),
  ];
}

/** Letters of answers that only some questions offer. Where one is not offered, it is not typed into the editor either. */
const grantingKeys = ["w", "s", "t", "a", "x"];

/** A question from the agent; its answers are numbered. */
function optionChoices({ options }: ChoiceQuestion, { setup, goTo }: Pick<Leads, "goTo"> & { setup: QuestionSetup }): Choice[] {
  return [
    ...options.map((option, index) => choice(String(index + 1), visibleLine(option), () => ({ kind: "chosen", option }))),
    choice("w", "write an answer", () => goTo("reason")),
    choice("n", `no answer: ${visibleLine(setup.asker)} decides`, () => ({ kind: "no" })),
    ...(setup.canWait ? [choice("l", "later", () => ({ kind: "later" }) as const)] : []),
  ];
}

type ChoiceRoom = { look: Look; rows: number; below: (view: View) => string[] };

/** With few rows the answers are only numbers, and a long question is cut to what fits. */
function choiceQuestionLines(question: ChoiceQuestion, { look, rows, below }: ChoiceRoom): string[] {
  const head = ["", ...headLines(question, look)];
  const text = choiceTextLines(question, look.width);
  const full = below(fullest);
  if (head.length + text.length + full.length <= rows) return [...head, ...text, ...full];
  const brief = below({ ...fullest, density: "letters" });
  const room = Math.max(1, rows - head.length + 1 - brief.length);
  const shown = text.length > room ? [...text.slice(0, room - 1), ...moreLines(text.length - room + 1, look.style)] : text;
  return [...head.slice(1), ...shown, ...brief];
}

function hintsOf(question: Question): Pick<ChoiceView, "escapeHint" | "unsandboxed"> {
  if (question.kind === "choice") return { escapeHint: "Esc no answer, and stop" };
  return question.kind === "permission" ? { unsandboxed: question.unsandboxed } : {};
}

function typedFor(question: Question, { asker }: Pick<Asking, "asker">): string {
  const reader = visibleLine(asker);
  if (question.kind === "choice") return `Your answer? ${reader} reads it. Enter sends it, Esc goes back.`;
  return `Why not? ${reader} reads it. Enter sends it, Esc says no without a reason.`;
}

/** An empty text is not an answer. */
function answerTyped({ kind }: Question, text: string): { given: Answer } | undefined {
  if (kind !== "choice") return { given: text === "" ? { kind: "no" } : { kind: "no", reason: text } };
  return text === "" ? undefined : { given: { kind: "written", text } };
}

function refusals(setup: QuestionSetup, goTo: Leads["goTo"]): Choice[] {
  const no = choice("n", `no, and tell ${visibleLine(setup.asker)} why`, () => goTo("reason"));
  return setup.canWait ? [no, choice("l", "later", () => ({ kind: "later" }))] : [no];
}

type Confirming = { rules: RuleChoice; width: number; shown: View; style: Style; file: string | undefined };

function confirmLines({ rules, width, shown, style, file }: Confirming): string[] {
  const offer = rules.chosen();
  return [
    ...hung(`  This is written to ${visibleLine(file ?? "")}:`, width),
    ...(offer?.rules ?? []).flatMap((rule) => hung(`    ${style.bold(visibleLine(rule))}`, width, 6)),
    ...(offer?.always ? [] : hung(style.dim("  This rule would not allow the same call next time."), width)),
    ...(rules.canMove() ? rules.lines(style, { width, view: shown }) : []),
    ...hung(`  ${offer?.always ? "Enter writes it   " : ""}Esc back`, width),
  ];
}

function choice(key: string, label: string, take: () => Given | undefined): Choice {
  return { key, label, take };
}

/** Longer rules have lines of their own. */
const shortRules = 60;

/** Which of the offered rules is chosen. */
function createRuleChoice(question: PermissionQuestion | undefined, reach: Asking["reach"]) {
  const offers = question?.offers ?? [];
  let at = firstChosen(question);
  return {
    chosen: () => offers[at],
    canMove: () => offers.length > 1,
    isListed: () => offers.length > 1 || offers.some(({ rules }) => rulesText(rules).length > shortRules),
    move(by: 1 | -1) {
      at = (at + by + offers.length) % offers.length;
    },
    /** All rules if there is room, otherwise the chosen one. */
    lines(style: Style, { width, view }: { width: number; view: View }): string[] {
      if (!this.isListed()) return [];
      const always = offers[at]?.always && question?.file !== undefined;
      const letters = ["s", question?.team && reach === "team" && "t", always && "a"].filter((letter) => typeof letter === "string");
      const keys = `rule for ${new Intl.ListFormat("en").format(letters)}`;
      const isBrief = view.density === "letters";
      const notes = [!isBrief && keys, offers.length > 1 && `${at + 1} of ${offers.length}, Up/Down`].filter(Boolean);
      const hint = notes.length > 0 ? style.dim(`   ${notes.join(style.middleDot)}`) : "";
      return offers.flatMap(({ rules }, index) => {
        if (index === at) return hung(`  ${style.pointer} ${style.bold(rulesText(rules))}${hint}`, width, 6);
        return view.density === "full" ? hung(`    ${style.dim(rulesText(rules))}`, width, 6) : [];
      });
    },
  };
}

/** The suggested rule; an exact one where the call does something that a wider rule should not allow by mistake. */
function firstChosen(question: PermissionQuestion | undefined): number {
  const { parts = [], offers = [] } = question ?? {};
  const isMarked = parts.some(({ allowed, marks = [] }) => !allowed && marks.length > 0);
  return isMarked
    ? Math.max(
        0,
        offers.findIndex(({ rules }) => !rules.some((rule) => /[*]\)$/.test(rule))),
      )
    : 0;
}

/** One typed line, for a reason. */
function createReason() {
  const input = new Input();
  input.focused = true;
  return {
    onKey: (key: string) => input.handleInput(key),
    text: () => input.getValue().trim(),
    lines: (width: number) => input.render(Math.max(4, width - 2)).map((line) => `  ${line}`),
  };
}
