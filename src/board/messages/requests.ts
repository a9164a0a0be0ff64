// Questions to the person that other processes can see: one file for each question, and one for its outcome, made with link(2) so that the first
// answer wins. The asker closes its question by linking the same name, so an answer can never arrive after that.

import { z } from "zod";
import type { Clock } from "../../agent/ports/clock.ts";
import { chance } from "../chance.ts";
import type { BoardDisk, ProcessIdentity } from "../disk.ts";
import { contentOf } from "../json-file.ts";

/** `agent`: the member's sub-agent that asks, if it is one. */
export type Asker = { name: string; agent?: string; process: ProcessIdentity };

/** The asker as messages name it. */
export const askerWords = ({ from, agent }: Pick<Request<unknown>, "from" | "agent">) =>
  agent === undefined ? from : `agent ${agent} of ${from}`;

export type Request<Question> = {
  id: string;
  from: string;
  agent?: string | undefined;
  process: ProcessIdentity;
  asked_at: string;
  question: Question;
};

/** Where a person answered: in the asker's own pane, in the lead's, or with `tool team answer`. */
const places = ["pane", "lead", "command"] as const;
export type AnswerPlace = (typeof places)[number];

/** `closed`: it was not answered and cannot be any more. */
export type Outcome<Answer> =
  | { kind: "answered"; by: AnswerPlace; at: string; answer: Answer }
  | { kind: "closed"; at: string; reason: string };

export interface Requests<Question, Answer> {
  open(from: Asker, question: Question): Request<Question>;
  /** Questions of that member's earlier processes that were not answered before these ended. */
  unanswered(name: string): Question[];
  /** The open questions, oldest first. Closes those whose asker is gone. */
  pending(): Request<Question>[];
  /** All questions, oldest first, each with its outcome. */
  all(): { request: Request<Question>; outcome: Outcome<Answer> | undefined }[];
  outcome(id: string): Outcome<Answer> | undefined;
  /** The outcome that is valid: this answer, or an earlier one. Undefined if there is no such question. */
  answer(id: string, answer: Answer, by: AnswerPlace): { won: boolean; outcome: Outcome<Answer> } | undefined;
  /** Has no effect after an answer. */
  close(id: string, reason: string): void;
}

export type RequestPorts = {
  disk: Pick<BoardDisk, "read" | "list" | "publish" | "makeFolder">;
  clock: Pick<Clock, "now" | "random">;
  /** False only if the process is known to have ended. */
  lives: (process: ProcessIdentity) => boolean;
};

/** Schemas of the files' contents. Files that do not match are skipped. */
export type RequestSchemas<Question, Answer> = { question: z.ZodType<Question>; answer: z.ZodType<Answer> };

export function openRequests<Question, Answer>(
  { disk, clock, lives }: RequestPorts,
  folder: string,
  schemas: RequestSchemas<Question, Answer>,
): Requests<Question, Answer> {
  const requestSchema = z.object({
    id: z.string(),
    from: z.string(),
    agent: z.string().optional(),
    process: processSchema,
    asked_at: z.string(),
    question: schemas.question,
  });
  const outcomeSchema = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("answered"), by: z.enum(places), at: z.string(), answer: schemas.answer }),
    z.object({ kind: z.literal("closed"), at: z.string(), reason: z.string() }),
  ]);
  const now = () => clock.now().toISOString();
  const outcome = (id: string): Outcome<Answer> | undefined => {
    const bytes = disk.read(outcomePath(folder, id));
    // Outcomes are published whole, so an unreadable one is not ours and counts as no outcome.
    return bytes && ((contentOf(bytes, outcomeSchema) as Outcome<Answer> | undefined) ?? unreadable);
  };
  /** False if the name is taken. The temporary name is unique to this process. */
  const publish = (path: string, value: unknown) =>
    disk.publish(`${path}.${chance(clock, 8)}.tmp`, path, `${JSON.stringify(value, null, 2)}\n`);
  const settle = (id: string, end: Outcome<Answer>) => publish(outcomePath(folder, id), end);
  const read = (names: string[]): Request<Question>[] =>
    names
      .flatMap((name) => (contentOf(disk.read(`${folder}/${name}`), requestSchema) as Request<Question> | undefined) ?? [])
      .sort((a, b) => compare(a.asked_at, b.asked_at) || compare(a.id, b.id));
  const unsettled = (): Request<Question>[] => {
    const names = new Set(disk.list(folder));
    // A question may be settled between listing and reading; an attempt to answer it reports that.
    return read([...names].filter((name) => isRequest(name) && !names.has(`${idOf(name)}.answer.json`)));
  };

  return {
    unanswered: (name) =>
      disk.list(folder).flatMap((file) => {
        if (!isRequest(file) || !file.startsWith(`${name}-`)) return [];
        const request = contentOf(disk.read(`${folder}/${file}`), requestSchema);
        if (request?.from !== name || lives(request.process)) return [];
        const end = outcome(idOf(file));
        return end === undefined || (end.kind === "closed" && end.reason === askerGone) ? (request.question as Question) : [];
      }),
    open(from, question) {
      disk.makeFolder(folder);
      for (;;) {
        const id = `${from.name}-${chance(clock, 5)}`;
        const agent = from.agent === undefined ? {} : { agent: from.agent };
        const request = { id, from: from.name, ...agent, process: from.process, asked_at: now(), question };
        if (publish(`${folder}/${id}.json`, request)) return request;
      }
    },
    pending() {
      return unsettled().filter(({ id, process }) => {
        if (lives(process)) return true;
        settle(id, { kind: "closed", at: now(), reason: askerGone });
        return false;
      });
    },
    all: () => read(disk.list(folder).filter(isRequest)).map((request) => ({ request, outcome: outcome(request.id) })),
    outcome,
    answer(id, answer, by) {
      if (!disk.list(folder).includes(`${id}.json`)) return undefined;
      const given: Outcome<Answer> = { kind: "answered", by, at: now(), answer };
      if (settle(id, given)) return { won: true, outcome: given };
      return { won: false, outcome: outcome(id) ?? unreadable };
    },
    close: (id, reason) => void settle(id, { kind: "closed", at: now(), reason }),
  };
}

const askerGone = "the process that asked is gone";

const unreadable = { kind: "closed", at: "", reason: "its answer file cannot be read" } as const;

export const processSchema = z.object({ machine: z.string(), boot: z.string(), namespace: z.string(), pid: z.number(), start: z.string() });

function outcomePath(folder: string, id: string): string {
  return `${folder}/${id}.answer.json`;
}

function isRequest(name: string): boolean {
  return name.endsWith(".json") && !name.endsWith(".answer.json");
}

function idOf(name: string): string {
  return name.slice(0, -".json".length);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
