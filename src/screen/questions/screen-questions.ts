// Puts questions to the person on a screen: what is printed before and after a question, and how many are open.
import type { Answer, Question } from "../../permissions/questions/question.ts";
import { lazyHighlight } from "../markdown/lazy-highlight.ts";
import type { Style } from "../style.ts";
import type { SessionScreen } from "../terminal/session-screen.ts";
import { grantText } from "./grant-text.ts";
import { questionStep } from "./question-step.ts";
import { type Asking, planTitle, tipFor } from "./question-text.ts";

/** Puts a question to the person here, in any agent's name. Undefined if it was put aside, or if the signal aborts first. */
export type Put = (put: Asking & { question: Question }, signal: AbortSignal) => Promise<Answer | undefined>;

/** `own`: how many questions of the screen's own agent and of the program are open. `ask`: the agent continues working meanwhile. */
export type ScreenQuestions = { put: Put; ask: SessionScreen["ask"]; own(): number };

type Printing = { style: Style; print: (text: string, hang?: number) => void };

export function screenQuestions(screen: SessionScreen, { style, print }: Printing): ScreenQuestions {
  const highlight = lazyHighlight();
  let own = 0;
  const open = () => {
    own++;
    return () => {
      own--;
      screen.refresh();
    };
  };
  const begin = () => {
    const goOn = screen.waitForPerson();
    const close = open();
    return () => {
      goOn();
      close();
    };
  };
  /** Loaded for the first change that is asked about, which is drawn again with them. */
  const colours = (question: Question) => {
    if (question.kind !== "permission" || question.change.length === 0 || !style.colour) return undefined;
    const loaded = highlight.get();
    if (!loaded) highlight.after(screen.refresh);
    return loaded;
  };
  const told = new Set<string>();
  const introduce = (question: Question, asking: Asking) => {
    if (question.kind === "plan") {
      print(planTitle({ ...asking, style }));
      screen.printMarkdown(question.plan);
    }
    const tip = question.kind === "permission" && !asking.canWait ? tipFor(question) : undefined;
    if (tip === undefined || told.has(tip)) return;
    told.add(tip);
    print(style.dim(`  ${tip}`), 2);
  };
  return {
    own: () => own,
    async ask(step, signal) {
      const close = open();
      try {
        return await screen.ask(step, signal);
      } finally {
        close();
      }
    },
    async put({ question, ...asking }, signal) {
      introduce(question, asking);
      const answered = asking.canWait ? () => {} : begin();
      try {
        const given = await screen.ask(questionStep(question, { ...asking, style, highlight: () => colours(question) }), signal);
        if (!given || given.kind === "later") return undefined;
        const told = question.kind === "permission" ? grantText(given, { ...asking, style }) : undefined;
        if (told !== undefined) print(told, 2);
        return given;
      } finally {
        answered();
      }
    },
  };
}
