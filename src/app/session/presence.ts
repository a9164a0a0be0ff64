// Shows a solo session to other processes while it runs: who it is, what it does now, and whether it waits for its person.
import type { AgentEvent, TranscriptEvent } from "../../agent/events.ts";
import type { Clock } from "../../agent/ports/clock.ts";
import { windowOf } from "../../agent/requests/compaction.ts";
import type { Session } from "../../agent/session/session.ts";
import { transcriptPath } from "../../agent/session/transcript.ts";
import { allTokens } from "../../agent/usage.ts";
import type { Ask } from "../../permissions/permit.ts";
import { questionSubject } from "../../wording/question-words.ts";
import { type QuestionsElsewhere, questionsElsewhere } from "../watch/questions-elsewhere.ts";
import { questionsFolder, type RunningSession, runningFolder, runningPath } from "../watch/running-sessions.ts";
import type { World } from "../world.ts";

export interface Presence {
  /** The same, and others see meanwhile that a question is open, and can answer it: the first answer wins. `agent`: which one of the session asks. */
  seen(ask: Ask, agent?: string): Ask;
  /** From now on others see the session; its events are followed. */
  begin(session: Session, past: readonly TranscriptEvent[]): void;
  end(): void;
}

type Shown = Pick<RunningSession, "state" | "doing" | "what">;

type PresenceOrder = { kind: RunningSession["kind"]; onAnsweredElsewhere?: (text: string) => void };

/** A disk that refuses costs the session nothing but being seen. */
export async function openPresence(
  { edges, env, configDir, cwd, uniqueId }: World,
  { kind, onAnsweredElsewhere = () => {} }: PresenceOrder,
): Promise<Presence> {
  const [disk, clock, processes] = await Promise.all([edges.disk(), edges.clock(), edges.processes()]);
  const { pid, start } = processes.self();
  const self = { pid, start, nonce: uniqueId(), cwd, kind };
  let followed: Session | undefined;
  let elsewhere: QuestionsElsewhere | undefined;
  let display: RunningSession["display"];
  let shown: Shown = { state: "starting", doing: "", what: "" };
  let since = clock.now().toISOString();
  const questions: string[] = [];
  let written = "";
  const attempt = (write: () => void) => {
    try {
      write();
    } catch {
      // a full disk: the session works on, unseen
    }
  };
  const write = () => {
    if (!followed) return;
    const [question] = questions;
    const now = { ...shown, ...(question !== undefined && ({ state: "waiting_permission", doing: question } as const)) };
    const key = `${now.state} ${now.doing} ${followed.totals().turns}`;
    if (key === written) return;
    if (!written.startsWith(`${now.state} `)) since = clock.now().toISOString();
    written = key;
    const transcript = transcriptPath(configDir, cwd, followed.id);
    const status: RunningSession = { ...now, ...statusOf(followed), ...self, transcript, since, ...(display && { display }) };
    attempt(() => disk.replace(runningPath(configDir, status.session), JSON.stringify(status), { durable: false }));
  };
  const later = together(write, clock);
  /** What it does now changes several times a turn, between a reply and the next request: that is shown a moment later. */
  const change = (next: Partial<Shown>) => {
    const goesOn = shown.state === "working" && (next.state ?? "working") === "working";
    shown = { ...shown, ...next };
    if (goesOn) later.soon();
    else write();
  };
  const open = (session: Session) => {
    const folder = questionsFolder(transcriptPath(configDir, cwd, session.id));
    return questionsElsewhere({ disk, clock, processes, watch: edges.watch, folder, onAnsweredElsewhere });
  };
  return {
    seen: (ask, agent) => async (question, signal) => {
      const subject = questionSubject(question);
      questions.push(subject);
      write();
      try {
        if (!followed || !elsewhere) return await ask(question, signal);
        return await elsewhere.answered(ask, { name: followed.agent.name, ...(agent !== undefined && { agent }) })(question, signal);
      } finally {
        questions.splice(questions.indexOf(subject), 1);
        write();
      }
    },
    begin(session, past) {
      followed = session;
      attempt(() => disk.makeFolder(runningFolder(configDir)));
      elsewhere = open(session);
      attempt(elsewhere.forget); // those of an earlier process
      session.listen((event) => change(nextOf(event, shown)));
      change({ state: "idle", what: past.map(saidIn).find(Boolean) ?? "" });
      void edges.ownPane(env).then((pane) => {
        display = pane;
        written = "";
        write();
      });
    },
    end() {
      if (followed) attempt(() => disk.remove(runningPath(configDir, followed!.id)));
      if (elsewhere) attempt(elsewhere.forget);
      followed = undefined;
      later.end();
    },
  };
}

/** What is asked for several times within a moment is done once. */
function together(act: () => void, clock: Clock): { soon(): void; end(): void } {
  const ended = new AbortController();
  let isDue = false;
  return {
    soon() {
      if (isDue) return;
      isDue = true;
      void clock.sleep(shownAfterMs, ended.signal).then(() => {
        isDue = false;
        act();
      });
    },
    end: () => ended.abort(),
  };
}

/** What it has used. */
function statusOf({ agent, id, totals }: Session) {
  const { turns, usage, costUsd } = totals();
  return {
    name: agent.name,
    session: id,
    task: null,
    turns,
    tokens: allTokens(usage),
    cached_tokens: usage.cache_read_input_tokens,
    context_tokens: agent.history.count.tokens(),
    window_tokens: windowOf(agent),
    cost_usd: costUsd,
  };
}

function nextOf(event: AgentEvent, { what }: Shown): Partial<Shown> {
  if (event.type === "input") return { what: what || saidIn(event) };
  if (event.type === "request") return { state: "working", doing: "" };
  if (event.type === "retry") return event.waitMs >= shownWaitMs ? { state: "waiting_provider", doing: event.reason } : {};
  if (event.type === "tool_started") return { state: "working", doing: [event.name, event.subject].join(" ").slice(0, longest) };
  if (event.type === "compacting") return { state: "working", doing: "summarizes its conversation" };
  if (event.type === "goal_checked") return { doing: `goal: ${event.how}` };
  if (event.type !== "ended") return {};
  return event.ending.kind === "fault" ? { state: "waiting_person", doing: event.ending.reason } : { state: "idle", doing: "" };
}

const longest = 200;
const shownAfterMs = 250;
const shownWaitMs = 5_000;

function saidIn(event: AgentEvent): string {
  if (event.type !== "input") return "";
  const said = event.inputs.find(({ source }) => source.kind === "user" || source.kind === "skill");
  return said ? (said.shown || said.text).trim().split("\n", 1)[0]!.slice(0, longest) : "";
}
