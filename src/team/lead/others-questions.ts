// The teammates' questions at the lead's screen: put as they come, taken away when somebody answered elsewhere or the asker ended.
import type { Request } from "../../board/messages/requests.ts";
import type { Answer, Question } from "../../permissions/questions/question.ts";
import { answerWords } from "../../wording/question-words.ts";
import { grantedTo } from "../team-grants.ts";
import { answerFor, outcomeWords, type PersonRequests } from "../teammate/ask-person.ts";

export type OthersQuestionsSetup = {
  requests: PersonRequests;
  /** Undefined when the person put it aside, or the signal aborts. */
  put: (request: Request<Question>, signal: AbortSignal) => Promise<Answer | undefined>;
  /** Writes down what an answer grants to the whole team. */
  keepForTeam: (answer: Answer) => Promise<void>;
  /** Reports in the asker's name how its question was settled. */
  say: (asker: string, text: string) => void;
  onFault: (error: unknown) => void;
};

export interface OthersQuestions {
  /** Puts what is new, and takes away what is settled. */
  refresh(): void;
  /** Members that wait for an answer, longest first. `aside`: postponed here, so open only elsewhere. */
  askers(): { name: string; aside: boolean }[];
  close(): void;
}

export function othersQuestions({ requests, put, keepForTeam, say, onFault }: OthersQuestionsSetup): OthersQuestions {
  const open = new Map<string, { request: Request<Question>; closing: AbortController; aside: boolean }>();

  async function show(request: Request<Question>): Promise<void> {
    const closing = new AbortController();
    const here = { request, closing, aside: false };
    open.set(request.id, here);
    const answer = await put(request, closing.signal);
    if (!answer) {
      here.aside = true;
      return;
    }
    open.delete(request.id);
    const settled = await answerFor({ requests, keepForTeam }, { id: request.id, answer, by: "lead" });
    if (settled && !settled.won) say(request.from, outcomeWords(settled.outcome, request.from));
    else if (settled && grantedTo(answer).length === 0) say(request.from, answerWords(answer)); // what the team is granted is printed with its revocation
  }

  return {
    refresh() {
      const pending = requests.pending().filter(({ from }) => from !== "lead");
      const waiting = new Set(pending.map(({ id }) => id));
      for (const [id, { request, closing }] of open) {
        if (waiting.has(id)) continue;
        closing.abort();
        open.delete(id);
        const outcome = requests.outcome(id);
        if (outcome) say(request.from, outcomeWords(outcome, request.from));
      }
      for (const request of pending) if (!open.has(request.id)) show(request).catch(onFault);
    },
    askers: () => [...open.values()].map(({ request, aside }) => ({ name: request.from, aside })),
    close() {
      for (const { closing } of open.values()) closing.abort();
    },
  };
}
