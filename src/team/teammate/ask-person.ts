// A member's questions to the person: each is a durable request, open at once in the member's own pane, at the lead's and to
// `tool team answer`. The first answer wins, and the question is closed everywhere else.
import type { AnswerPlace, Asker, Outcome, Requests } from "../../board/messages/requests.ts";
import type { Ask } from "../../permissions/permit.ts";
import { type Answer, fits, type Question } from "../../permissions/questions/question.ts";
import { answerWords, isSettled } from "../../wording/question-words.ts";

export type PersonRequests = Requests<Question, Answer>;

export type AskPersonSetup = {
  requests: PersonRequests;
  from: Asker;
  /** Puts it on this member's own screen until the signal aborts; undefined without one. */
  own: ((question: Question, signal: AbortSignal) => Promise<Answer | undefined>) | undefined;
  /** Where the person's answers for the whole team are written: at the lead alone. */
  keepForTeam?: ((answer: Answer) => Promise<void>) | undefined;
  /** Resolves at the next change of the requests' folder, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>;
  /** The person said no to all that is open in this turn. */
  onStop(): void;
  /** Says on the own screen that somebody answered elsewhere. */
  onAnsweredElsewhere(text: string): void;
};

/** The question exists as long as the call that asks: an interrupted call closes it for everybody. */
export function askPerson({ requests, from, own, keepForTeam, changed, onStop, onAnsweredElsewhere }: AskPersonSetup): Ask {
  return async (question, signal) => {
    const { id } = requests.open(from, question);
    const over = new AbortController();
    const open = AbortSignal.any([signal, over.signal]);
    const here = own?.(question, open).then(async (answer) => {
      if (answer) await keepForTeam?.(answer);
      if (answer) requests.answer(id, answer, "pane");
    });
    try {
      while (!signal.aborted && !requests.outcome(id)) await Promise.race([changed(open), ...(here ? [here] : [])]);
    } finally {
      requests.close(id, typeof signal.reason === "string" ? signal.reason : "the call was interrupted");
      over.abort();
      await here;
    }
    const outcome = requests.outcome(id);
    if (outcome?.kind !== "answered" || !fits(question, outcome.answer)) return undefined;
    if (own && outcome.by !== "pane") onAnsweredElsewhere(outcomeWords(outcome, from.name));
    if (outcome.answer.kind === "no" && outcome.answer.stop) onStop();
    return outcome.answer;
  };
}

export type Answering = { requests: Pick<PersonRequests, "answer">; keepForTeam: (answer: Answer) => Promise<void> };

/**
 * Answers for the person from another process than the asker's. What is granted to the team is written first, so that the asker continues by
 * it; where that alone has settled the question already, the answer has done what it was to do.
 */
export async function answerFor(
  { requests, keepForTeam }: Answering,
  { id, answer, by }: { id: string; answer: Answer; by: AnswerPlace },
): Promise<ReturnType<PersonRequests["answer"]>> {
  await keepForTeam(answer);
  const settled = requests.answer(id, answer, by);
  const grants = answer.kind === "team" || (answer.kind === "sandbox" && answer.for === "team");
  const byGrant = settled?.outcome.kind === "closed" && isSettled(settled.outcome.reason);
  return settled && grants && byGrant ? { ...settled, won: true } : settled;
}

/** `answered in ada's pane: allowed once`. It may contain foreign text: escape it when printing. */
export function outcomeWords(outcome: Outcome<Answer>, asker: string): string {
  if (outcome.kind === "closed") return isSettled(outcome.reason) ? outcome.reason : `the question is gone: ${outcome.reason}`;
  return `answered ${placeWords(outcome.by, asker)}: ${answerWords(outcome.answer)}`;
}

function placeWords(place: AnswerPlace, asker: string): string {
  switch (place) {
    case "pane":
      return `in ${asker}'s pane`;
    case "lead":
      return "at the lead";
    case "command":
      return "from a shell";
  }
}
