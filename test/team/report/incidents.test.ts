// What a team's members and their agents lacked, as their files say it.
import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import type { AgentRecord } from "../../../src/subagents/record.ts";
import { asWished, closedPane } from "../../../src/team/end-reasons.ts";
import { type MemberRun, memberIncidents } from "../../../src/team/report/incidents.ts";
import { aRecord } from "../../subagents/kit.ts";

const at = (second: number) => new Date(second * 1000).toISOString();
const since = new Date(10_000);
const denied = (subject: string, second: number): TranscriptEvent => ({
  type: "denied",
  id: `${second}`,
  name: "Bash",
  subject,
  reason: "No.",
  at: at(second),
});
const ended = (ending: Extract<TranscriptEvent, { type: "ended" }>["ending"], second: number): TranscriptEvent => ({
  type: "ended",
  ending,
  text: "",
  at: at(second),
});

const folder = "/config/projects/-repo/s-ada";

type Given = { agents?: AgentRecord[] | string; failures?: string; isRunning?: boolean; end?: MemberRun["ended"] };

function incidents(events: TranscriptEvent[], { agents = [], failures = "", isRunning = false, end }: Given = {}) {
  const files: Record<string, string> = {
    [`${folder}/agents.json`]: typeof agents === "string" ? agents : JSON.stringify({ version: 1, agents }),
    [`${folder}/failures.jsonl`]: failures,
  };
  const disk = { read: (path: string) => (path in files ? Buffer.from(files[path] ?? "") : undefined) };
  const ports = { disk, configDir: "/config", record: { cwd: "/repo" } };
  return memberIncidents(ports, [{ member: "ada", session: "s-ada", events, isRunning, ended: end }], since);
}

it("each refused call counts from the given time on", () => {
  const call = { kind: "denied", agent: "ada", tool: "Bash", reason: "No." };
  expect(incidents([denied("old", 1), denied("a", 11), denied("a", 14)])).toEqual([
    { ...call, subject: "a" },
    { ...call, subject: "a" },
  ]);
});

it("a teammate's last end counts, and an interruption is somebody's wish", () => {
  const limit = ended({ kind: "max_turns", limit: 2 }, 12);
  expect(incidents([limit])).toEqual([
    { kind: "max_turns", agent: "ada", item: "the session", reason: "The limit of 2 turns was reached." },
  ]);
  expect(incidents([limit, ended({ kind: "done" }, 13)])).toEqual([]);
  expect(incidents([limit, ended({ kind: "aborted" }, 13)])).toEqual([]);
  expect(incidents([ended({ kind: "fault", reason: "It crashed." }, 2)])).toEqual([]);
});

it("agents of a teammate are named after both, with what any of them recorded", () => {
  const denial = { tool: "Bash", subject: "ls", reason: "No." };
  const agents = [
    aRecord({ state: "completed", endedAt: at(12), denials: [denial], startedAt: at(11) }),
    aRecord({ id: "a-2", name: "bo", state: "failed", reason: "It crashed.", endedAt: at(12), startedAt: at(11) }),
    aRecord({ id: "a-3", name: "old", state: "failed", reason: "Long ago.", endedAt: at(2), startedAt: at(1) }),
  ];
  const line = (agent: string, second: number) => `${JSON.stringify({ at: at(second), agent, item: "a.ts", error: "No." })}\n`;
  expect(incidents([], { agents, failures: line("ada", 12) + line("bo", 12) + line("ada", 1) })).toEqual([
    { kind: "denied", agent: "ada", ...denial },
    { kind: "failed", agent: "ada/bo", item: "look at a", reason: "It crashed." },
    { kind: "failed", agent: "ada", item: "a.ts", reason: "No." },
    { kind: "failed", agent: "ada/bo", item: "a.ts", reason: "No." },
  ]);
});

it("an agent at work was cut off only if its teammate has ended", () => {
  const agents = [aRecord({ state: "running", startedAt: at(11), name: "bo" })];
  expect(incidents([], { agents, isRunning: true })).toEqual([]);
  expect(incidents([], { agents })).toEqual([
    { kind: "failed", agent: "ada/bo", item: "look at a", reason: "The session ended while it ran." },
  ]);
});

it("a damaged list of agents is a failure, not a success", () => {
  expect(incidents([], { agents: "{" })).toEqual([
    { kind: "failed", agent: "ada", item: "its agents", reason: expect.stringContaining(`Cannot read ${folder}/agents.json`) },
  ]);
});

it("a process that ended for good counts where its session says of no failure", () => {
  const failure = { kind: "failed", agent: "ada", item: "the session" };
  const end = { how: "its process died, after 3 restarts in 10 minutes", at: at(14) };
  expect(incidents([], { end })).toEqual([{ ...failure, reason: end.how }]);
  expect(incidents([ended({ kind: "done" }, 13)], { end })).toEqual([{ ...failure, reason: end.how }]);
  expect(incidents([ended({ kind: "fault", reason: "It crashed." }, 13)], { end })).toEqual([{ ...failure, reason: "It crashed." }]);
});

it("an end that was asked for, that came with the team's, or of a former run is no failure", () => {
  expect(incidents([], { end: { how: asWished, at: at(14) } })).toEqual([]);
  expect(incidents([], { end: { how: closedPane, at: at(14) } })).toEqual([]);
  expect(incidents([], { end: { how: "its process died", at: at(14), with_team: true } })).toEqual([]);
  expect(incidents([], { end: { how: "its process died", at: at(2) } })).toEqual([]);
});
