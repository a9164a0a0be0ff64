// Questions to the person that other processes can see: one file each, and beside it one for what became of it, made with link(2), so
// that the first answer wins. What asks closes its question by the same name, so that an answer can never come after the end.
import { z } from "zod";
import type { Clock } from "../agent/clock.ts";
import { chance } from "./chance.ts";
import type { BoardDisk, ProcessIdentity } from "./disk.ts";

/** `agent`: the one that the member has started and that asks. */
export type Asker = { name: string; agent?: string; process: ProcessIdentity };

/** As a person is told who asks. */
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

/** Where a person answered: at the asker's own pane, at the lead's, or with `tool team answer`. */
const places = ["pane", "lead", "command"] as const;
export type AnswerPlace = (typeof places)[number];

/** `closed`: nobody answered, and nobody can any more. */
export type Outcome<Answer> =
  | { kind: "answered"; by: AnswerPlace; at: string; answer: Answer }
  | { kind: "closed"; at: string; reason: string };

export interface Requests<Question, Answer> {
  open(from: Asker, question: Question): Request<Question>;
  /** What that member's former processes asked and nobody answered before they ended. */
  unanswered(name: string): Question[];
  /** What waits for an answer, the oldest first. Those whose asker is gone are closed on the way. */
  pending(): Request<Question>[];
  /** Everything that was ever asked, the oldest first, with what became of it. */
  all(): { request: Request<Question>; outcome: Outcome<Answer> | undefined }[];
  outcome(id: string): Outcome<Answer> | undefined;
  /** What holds from now on: this answer, or what was faster. Undefined when there is no such question. */
  answer(id: string, answer: Answer, by: AnswerPlace): { won: boolean; outcome: Outcome<Answer> } | undefined;
  /** Nothing happens when it was answered. */
  close(id: string, reason: string): void;
}

export type RequestPorts = {
  disk: Pick<BoardDisk, "read" | "list" | "publish" | "makeFolder">;
  clock: Pick<Clock, "now" | "random">;
  /** False only for a process that is known to be gone. */
  lives: (process: ProcessIdentity) => boolean;
};

/** `question` and `answer`: what the files must hold; others are passed over. */
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
    // Answers come whole or not at all. What cannot be read is none of ours, and must not keep anybody waiting.
    return bytes && ((parsed(bytes, outcomeSchema) as Outcome<Answer> | undefined) ?? unreadable);
  };
  /** False when the name is taken. The temporary one is this process's own. */
  const publish = (path: string, value: unknown) =>
    disk.publish(`${path}.${chance(clock, 8)}.tmp`, path, `${JSON.stringify(value, null, 2)}\n`);
  const settle = (id: string, end: Outcome<Answer>) => publish(outcomePath(folder, id), end);
  const read = (names: string[]): Request<Question>[] =>
    names
      .flatMap((name) => (parsed(disk.read(`${folder}/${name}`), requestSchema) as Request<Question> | undefined) ?? [])
      .sort((a, b) => compare(a.asked_at, b.asked_at) || compare(a.id, b.id));
  const unsettled = (): Request<Question>[] => {
    const names = new Set(disk.list(folder));
    // Between the listing and the reading it may have been settled: whoever answers learns that then.
    return read([...names].filter((name) => isRequest(name) && !names.has(`${idOf(name)}.answer.json`)));
  };

  return {
    unanswered: (name) =>
      disk.list(folder).flatMap((file) => {
        if (!isRequest(file) || !file.startsWith(`${name}-`)) return [];
        const request = parsed(disk.read(`${folder}/${file}`), requestSchema);
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

const processSchema = z.object({ machine: z.string(), boot: z.string(), namespace: z.string(), pid: z.number(), start: z.string() });

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

function parsed<T>(bytes: Buffer | undefined, schema: z.ZodType<T>): T | undefined {
  if (!bytes) return undefined;
  try {
    return schema.safeParse(JSON.parse(bytes.toString("utf8"))).data;
  } catch {
    return undefined; // not JSON: nobody of ours wrote it
  }
}
