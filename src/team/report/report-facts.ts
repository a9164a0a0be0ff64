// Everything that the report page shows, gathered from a team's report, its log, its members' transcripts and the questions that were asked.
import type { TeamEvent } from "../../board/event.ts";
import type { Outcome, Request } from "../../board/messages/requests.ts";
import type { TaskId } from "../../board/tasks/task.ts";
import type { TeamRecord } from "../../board/team-record.ts";
import type { Answer, Question } from "../../permissions/questions/question.ts";
import type { HandsFacts } from "../../places/hands-facts.ts";
import { questionLine } from "../../wording/question-words.ts";
import { readStatus } from "../member-files.ts";
import { outcomeWords, type PersonRequests } from "../teammate/ask-person.ts";
import { readTranscript } from "./read-transcript.ts";
import type { TeamReport } from "./report.ts";
import type { ReportPorts } from "./report-from-files.ts";
import { type Spent, spendingOf } from "./spending.ts";
import { type Timeline, timelineOf } from "./timeline.ts";

export type AgentFacts = { name: string; role: string; duty: string; model: string; spent: Spent[]; hands?: HandsFacts };
/** `answer`: what became of it; empty while it is open. */
export type QuestionFacts = { agent: string; at: number; asked: string; answer: string };
/** A file with the tasks and agents that wrote it; lines where they are known. */
export type FileFacts = { path: string; tasks: TaskId[]; agents: string[]; added: number | undefined; removed: number | undefined };

export type ReportFacts = {
  report: TeamReport;
  running: boolean;
  stalled: string[];
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  agents: AgentFacts[];
  questions: QuestionFacts[];
  files: FileFacts[];
  timeline: Timeline;
  events: TeamEvent[];
};

type Given = { report: TeamReport; running: boolean; stalled: string[]; requests: Pick<PersonRequests, "all"> };

export function reportFacts(ports: ReportPorts, { report, running, stalled, requests }: Given): ReportFacts {
  const { board, record } = ports;
  const events = board.follow().next();
  const from = Date.parse(record.created_at);
  const to = Math.max(from + report.ms, Date.parse(events.at(-1)?.at ?? record.created_at));
  return {
    report,
    running,
    stalled,
    from,
    to,
    agents: record.members.map((member) => agentFacts(member, ports)),
    questions: requests.all().map(questionFacts),
    files: filesOf(report),
    timeline: timelineOf(events, to),
    events,
  };
}

function agentFacts({ name, duty = "", definition, model = "" }: TeamRecord["members"][number], ports: ReportPorts): AgentFacts {
  const { session, hands } = readStatus(ports.disk, ports.board.layout, name) ?? {};
  const spent = session === undefined ? [] : spendingOf(readTranscript(ports, session));
  return { name, role: definition?.name ?? "", duty, model, spent, ...(hands && { hands }) };
}

function questionFacts({ request, outcome }: { request: Request<Question>; outcome: Outcome<Answer> | undefined }): QuestionFacts {
  const { from, asked_at, question } = request;
  return { agent: from, at: Date.parse(asked_at), asked: questionLine(question), answer: outcome ? outcomeWords(outcome, from) : "" };
}

/** In the order of their paths. */
export function filesOf({ tasks }: Pick<TeamReport, "tasks">): FileFacts[] {
  const files = new Map<string, FileFacts>();
  for (const { id, assigned_to, changes } of tasks) {
    for (const { path, added, removed } of changes) {
      const before = files.get(path) ?? { path, tasks: [], agents: [], added: 0, removed: 0 };
      files.set(path, {
        path,
        tasks: [...new Set([...before.tasks, id])],
        agents: [...new Set([...before.agents, ...(assigned_to === null ? [] : [assigned_to])])],
        added: sum(before.added, added),
        removed: sum(before.removed, removed),
      });
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const sum = (a: number | undefined, b: number | undefined) => (a === undefined || b === undefined ? undefined : a + b);

/** The same facts with every text changed. `change` is called once for each different text. */
export async function withTexts(facts: ReportFacts, change: (text: string) => Promise<string>): Promise<ReportFacts> {
  const changed = new Map<string, Promise<string>>();
  const visit = async (value: unknown): Promise<unknown> => {
    if (typeof value === "string") {
      const known = changed.get(value) ?? change(value);
      changed.set(value, known);
      return known;
    }
    if (Array.isArray(value)) return Promise.all(value.map(visit));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await visit(inner)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return (await visit(facts)) as ReportFacts;
}
