// Every JSON that the program prints: the one table that docs/scripting.md and the real outputs are compared with.
import { z } from "zod";
import { streamLineSchema } from "../../src/app/print/stream-schema.ts";
import * as shape from "./shapes.ts";
import { either, flag, list, number, object, ok, one, text, time } from "./shapes.ts";

/** `lines`: one object in each line. */
export type JsonOutput = {
  option: string;
  prints: "one object" | "a line for each" | "a line for each event, and the result";
  schema: z.ZodType;
  /** How the page says it, where the schema would repeat another one. */
  shown?: string;
};

const json = (schema: z.ZodType): JsonOutput => ({ option: "--json", prints: "one object", schema });
const lines = (schema: z.ZodType): JsonOutput => ({ option: "--json", prints: "a line for each", schema });
const format = (name: "json" | "stream-json", schema: z.ZodType): JsonOutput => ({
  option: `--output-format ${name}`,
  prints: name === "json" ? "one object" : "a line for each event, and the result",
  schema,
});

const teamResult = object({
  type: z.literal("result"),
  ok,
  ...shape.teamReport,
  ended: text,
  exit_code: number,
  checked: object({ green: flag, summary: text }).optional().describe("of a demo alone: the tests of its program"),
});
const teamLine = z.union([...shape.teamEvent.options.map((event) => event.extend({ type: z.literal("event") })), teamResult]);
const teamLines = {
  ...format("stream-json", teamLine),
  shown: `{ type: "event" } & TeamEvent // as tool team log --json prints them, and then what --output-format json prints`,
};
const teamOutputs = [format("json", teamResult), teamLines, json(teamResult)];

const member = object({
  name: text,
  role: one("lead", "teammate"),
  definition: text.nullable(),
  state: text,
  how: text.describe("how it ended, where it is, or why it waits"),
  since: time.nullable(),
  pid: number.nullable(),
  task: text.nullable(),
  blocked: list(text),
  doing: text,
  turns: number,
  tokens: number,
  context_tokens: number.nullable(),
  window_tokens: number.nullable(),
  cost_usd: shape.money,
  evidence: shape.evidence.nullable(),
  hands: shape.hands.nullable().describe("at a place; null on this machine"),
});

const place = z.unknown().describe("`kind` and what belongs to it: where its display is");

const sessionAgent = object({
  agent: text,
  name: text,
  type: text,
  description: text,
  state: text,
  reason: text.nullable(),
  background: flag,
  turns: number,
  tokens: number,
  cost_usd: shape.money,
  elapsed_ms: number,
  now: text.nullable(),
  failed_calls: list(z.unknown()),
  evidence: shape.evidence.nullable(),
  decision: z.unknown(),
  transcript: text.optional(),
});

const unit = object({
  id: text,
  title: text,
  state: text,
  branch: text,
  worktree: text.nullable().describe("null if it is not left"),
  tests: text.optional(),
  tests_before: text.nullable(),
  was_red_before: flag.nullable(),
  changed_tests: list(object({ path: text, kind: text })),
  error: object({ kind: text, reason: text }).optional(),
  missing: list(text).optional(),
  url: text.optional(),
  turns: number,
  tokens: number,
  cost_usd: shape.money,
  place: text.optional().describe("where its hands are; absent on this machine"),
  hands: shape.hands.optional(),
  hands_died_at: list(text).optional().describe("places, in order"),
});
const plannedUnit = object({
  id: text,
  title: text,
  instruction: text,
  files: list(text),
  test: text.optional(),
  phase: number.optional(),
  needs: list(text).optional(),
});
const listedBatch = object({
  id: text,
  created_at: time,
  instruction: text,
  root: text,
  done: number,
  failed: number,
  skipped: number,
  open: number,
  running: z.unknown().describe("the process that carries it out, or null"),
  next: one("resume", "retry").nullable(),
});

const permissionList = object({
  ok,
  cwd: text,
  project: text,
  trust: text,
  mode: text,
  sandbox: object({ enabled: flag, network: z.union([flag, z.literal("asked")]), state: text, why: text.nullable() }),
  rules: list(object({ kind: one("deny", "ask", "allow"), rule: text, means: text.nullable(), scope: text, file: text.nullable() })),
  granted: list(z.unknown()),
  directories: list(object({ folder: text, scope: text, file: text.nullable() })),
  toolignore: object({ file: text, patterns: number }).nullable(),
  held: list(object({ kind: text, what: text, file: text.nullable(), until: one("trusted", "never") })),
});
const ruleEdit = object({
  ok,
  file: text.optional(),
  changed: flag.optional(),
  kinds: list(one("allow", "ask", "deny")).optional(),
  rule: text,
});
const settingEdit = { ok, name: text, file: text, changed: flag };
const settings = object({ ok, settings: list(object(shape.setting)) });
const revised = object({ ok, task: shape.task });
const tasks = object({ ok, tasks: list(shape.task) });
const listed = { ok, mistakes: list(shape.mistake), untrusted: list(text).describe("files that wait for your trust") };
const check = object({ what: text, state: one("holds", "note", "fails"), why: text.optional() });

export const outputs: Record<string, JsonOutput[]> = {
  tool: [format("json", shape.runResult), format("stream-json", streamLineSchema), json(shape.runResult)],
  "tool team": teamOutputs,
  "tool demo team": teamOutputs,
  "tool demo places": teamOutputs,
  "tool team create": [json(object({ ok, team: z.unknown().describe("the record of the team, with `name`, `cwd`, `lead`, `members`") }))],
  "tool team list": [
    json(
      object({
        ok,
        teams: list(
          object({
            name: text,
            lead_pid: number.nullable(),
            waiting_teammates: list(text),
            members: list(text),
            tasks: number.nullable(),
            completed: number.nullable(),
            created_at: time.nullable(),
            cwd: text.nullable(),
            cwd_exists: flag,
            resumable: flag,
            not_resumable: text.nullable(),
            problems: list(text),
          }),
        ),
      }),
    ),
  ],
  "tool team status": [
    json(
      object({
        ok,
        team: text,
        cwd: text,
        created_at: time,
        state: one("running", "lead_gone", "ended", "no_processes"),
        place,
        members: list(member),
        tasks: object({ open: number, in_progress: number, blocked: number, completed: number }),
        untold: list(text).describe("blocked tasks that the lead could not be told of yet"),
        failed_tests: list(object({ task: text, by: text.nullable(), evidence: shape.evidence })),
        stalled: list(text).describe("why nothing can go on"),
        tokens: number,
        cost_usd: shape.money,
      }),
    ),
  ],
  "tool team report": [
    json(
      object({
        ok,
        ...shape.teamReport,
        running: flag,
        ended: text.nullable(),
        exit_code: number.nullable(),
        worktrees: z.unknown().optional(),
      }),
    ),
  ],
  "tool team log": [lines(shape.teamEvent)],
  "tool team tasks": [json(tasks)],
  "tool team task list": [json(tasks)],
  "tool team task create": [json(revised)],
  "tool team task get": [json(revised)],
  "tool team task update": [json(revised)],
  "tool team task restore": [json(object({ ok, revision: number, damaged: text.optional(), undone: list(z.unknown()) }))],
  "tool team send": [json(object({ ok, message: shape.message }))],
  "tool team inbox": [json(object({ ok, messages: list(shape.message) }))],
  "tool team answer": [
    json(
      either(
        object({
          ok,
          requests: list(z.unknown()).describe("each with `id`, `from`, `agent`, `asked_at` and its `question`"),
          in_panes: list(object({ from: text, asks: text, since: text.nullable() })).describe(
            "can be answered in that member's pane alone",
          ),
        }),
        object({ ok, request: text, answer: z.unknown() }),
      ),
    ),
  ],
  "tool team stop": [
    json(
      object({
        ok,
        team: text.nullable(),
        outcome: text,
        reaped: list(object({ what: text, outcome: text, how: text })),
        completed: number,
        tasks: number,
      }),
    ),
  ],
  "tool team gc": [
    json(
      object({
        ok,
        dry_run: flag,
        teams: number,
        found: list(object({ team: text, kind: text, what: text, outcome: text, how: text })),
        notes: list(text),
      }),
    ),
  ],
  "tool team delete": [json(object({ ok, teams: list(object({ team: text, deleted: flag, reason: text.optional(), kept: list(text) })) }))],
  "tool batch": [
    json(
      either(
        object({
          type: z.literal("batch_result"),
          ok,
          id: text,
          exit_code: number,
          done: number,
          failed: number,
          skipped: number,
          open: number,
          tokens: number,
          cost_usd: shape.money,
          permission_denials: list(shape.denial),
          failures: list(shape.failure),
          estimate: shape.estimate.nullable(),
          failures_file: text,
          units: list(unit),
        }),
        object({
          ok,
          type: z.literal("batch_plan").describe("of `--plan-only`"),
          verdict: one("good", "too_few"),
          file: text.optional(),
          cost_usd: shape.money.optional(),
          estimate: shape.estimate.optional(),
          units: list(plannedUnit),
        }),
        object({ ok, batches: list(listedBatch).describe("of `--list`") }),
        object({
          ok,
          batches: list(object({ id: text, removed: list(text), kept: list(text), repository: text })).describe("of `--gc`"),
        }),
      ),
    ),
  ],
  "tool changes": [json(object({ ok, branch: text, changes: list(shape.changes) }))],
  "tool take": [
    json(
      either(
        object({ ok, kind: z.literal("taken"), text: list(text), taken: list(text), nothing_new: list(text), from: text }),
        object({
          ok,
          kind: z.literal("conflict"),
          text: list(text),
          id: text,
          files: list(object({ path: text, marked: flag })),
          taken: list(text),
          still_to_come: list(text),
        }),
        object({ ok, kind: z.literal("undone"), text: list(text), at: text }),
        object({ ok, kind: z.literal("refused"), text: list(text), error: text }),
      ),
    ),
  ],
  "tool drop": [
    json(
      object({
        ok,
        dropped: list(object({ id: text, branches: list(object({ branch: text, commit: text })) })),
        id: text.optional().describe("the one that could not be dropped"),
        error: text.optional(),
      }),
    ),
  ],
  "tool tasks": [
    json(
      object({
        ok,
        agents: list(
          object({
            team: text,
            name: text,
            state: text,
            turns: number,
            tokens: number,
            doing: text,
            how: text,
            pid: number.nullable(),
            evidence: shape.evidence.nullable(),
            what: text,
            elapsed_ms: number.nullable(),
          }),
        ).describe("teammates"),
        session_agents: list(sessionAgent),
        session_commands: list(
          object({
            command: text,
            session: text.nullable(),
            agent: text,
            what: text,
            state: text,
            code: number.nullable(),
            reason: text.nullable(),
            elapsed_ms: number,
            last_line: text.nullable(),
            output: text.nullable(),
          }),
        ),
        batches: list(object({ id: text, units: list(object({ id: text, state: text, worktree: text })) })),
      }),
    ),
  ],
  "tool watch": [
    json(
      object({
        ok,
        at: time,
        rows: list(
          object({
            id: text,
            kind: one("session", "team", "member", "agent", "batch", "unit"),
            name: text,
            full_name: text,
            root: text.optional(),
            state: text,
            words: text,
            since: time.nullable(),
            now: text,
            waits_for: list(text),
            folder: text,
            turns: number.nullable(),
            tokens: number.nullable(),
            cost_usd: shape.money,
            pid: number.nullable(),
            question: z.unknown().optional(),
            transcript: text.optional(),
            pane: z.unknown().optional(),
            command: text.optional(),
          }),
        ),
        today: object({ cost_usd: number, is_partial: flag.describe("some requests had a model without a known price") }),
      }),
    ),
  ],
  "tool agents list": [json(object({ ...listed, agents: list(shape.agentDefinition) }))],
  "tool agents show": [json(object({ ok, agent: shape.agentWithPrompt }))],
  "tool agents validate": [json(shape.checkedFiles)],
  "tool agents resume": [
    json(
      object({
        ok,
        agent: text,
        name: text,
        state: text,
        turns: number,
        reason: text.nullable(),
        report: text,
        exit_code: number,
        permission_denials: list(shape.denial),
        failures: list(shape.failure),
      }),
    ),
  ],
  "tool agents stop": [json(object({ ok, agent: text, name: text, state: text }))],
  "tool hooks list": [
    json(
      object({
        ok,
        hooks: list(
          object({
            event: text,
            matcher: text,
            if: text.nullable(),
            command: text,
            timeout: number.nullable().describe("seconds"),
            scope: text,
            file: text.nullable(),
            sandbox: flag,
            state: one("runs", "cannot run", "held back", "left out"),
            warning: text.nullable(),
          }),
        ),
      }),
    ),
  ],
  "tool hooks schema": [
    json(
      object({ ok, events: list(z.unknown()).describe("each with `event`, `when`, `matcher`, `blocks` and `input`"), output: z.unknown() }),
    ),
  ],
  "tool skills list": [json(object({ ...listed, skills: list(shape.skill) }))],
  "tool skills show": [json(object({ ok, skill: shape.skillWithBody }))],
  "tool skills validate": [json(shape.checkedFiles)],
  "tool mcp list": [json(object({ ok, servers: list(shape.mcpServer), problems: list(text), warnings: list(text) }))],
  "tool mcp add": [json(shape.mcpServerAdded)],
  "tool mcp add-json": [json(shape.mcpServerAdded)],
  "tool mcp get": [json(object({ ok, server: shape.mcpServerWhole }))],
  "tool mcp test": [
    json(
      object({
        ok,
        server: text,
        reason: text.optional().describe("why it cannot be used; the rest is absent then"),
        ms: number.optional(),
        tools: list(text).optional(),
        prompts: number.optional(),
        resources: number.optional(),
        left_out: list(z.unknown()).optional(),
      }),
    ),
  ],
  "tool mcp remove": [json(object({ ok, server: text, files: list(text) }))],
  "tool permissions": [json(permissionList)],
  "tool permissions list": [json(permissionList)],
  "tool permissions check": [
    lines(
      object({
        call: text.optional().describe("absent for a case of `--cases`"),
        decision: one("allow", "ask", "deny"),
        rule: text.nullable(),
        file: text.nullable(),
        reason: text,
        sandbox: text.optional(),
        parts: list(z.unknown()).optional().describe("of a command: each with `text`, `where` and `decision`"),
      }),
    ),
  ],
  "tool permissions add": [json(ruleEdit)],
  "tool permissions remove": [json(ruleEdit)],
  "tool config": [json(settings)],
  "tool config list": [json(settings)],
  "tool config get": [json(object({ ok, ...shape.setting }))],
  "tool config set": [json(object({ ...settingEdit, value: z.unknown() }))],
  "tool config unset": [json(object(settingEdit))],
  "tool ignore check": [
    lines(object({ path: text, ignored: flag, pattern: text.nullable(), line: number.nullable(), file: text.nullable() })),
  ],
  "tool import": [
    json(
      object({
        ok,
        written: flag,
        files: list(object({ file: text, add: list(object({ key: text, value: z.unknown(), from: text })) })),
        changed: list(object({ what: text, why: text, from: text })).describe("what means something else here"),
        left_out: list(object({ what: text, why: text, from: text })),
      }),
    ),
  ],
  "tool display test": [
    json(object({ ok, display: text, conforms: flag, checks: list(object({ what: text, ok: flag, why: text.optional() })) })),
  ],
  "tool place list": [
    json(
      object({
        ok,
        places: list(
          object({
            name: text,
            command: list(text),
            folder: text,
            arguments: one("separate", "joined"),
            at_once: number.nullable(),
            env: list(text).describe("names alone"),
          }),
        ),
      }),
    ),
  ],
  "tool place test": [json(object({ ok, place: text, usable: flag, checks: list(check) }))],
  "tool place gc": [json(object({ ok, place: text, works: number, programs: number, alive: number }))],
  "tool doctor": [
    json(object({ ok, findings: list(object({ what: text, state: one("fine", "weak", "broken"), text: text, advice: text.optional() })) })),
  ],
  "tool secrets scan": [
    json(
      object({
        ok,
        findings: list(object({ file: text, line: number, kind: text, masked: text })),
        files: number,
        binaries: number,
        unread: list(object({ path: text, why: text })),
        ignored: list(text).describe("what was left out because git ignores it; a folder ends with a slash"),
        allowed: number.describe("by a comment on the line"),
      }),
    ),
  ],
  "tool privacy": [
    json(
      either(
        object({
          ok,
          sessions: list(
            object({
              session: text,
              project: text,
              network: list(z.unknown()),
              places: list(object({ place: text, sent: number, received: number })).describe("bytes to and from places"),
              first: text,
              last: text,
              requests: number,
              files: number,
              commands: number,
              messages: number,
              bytes: number,
              secrets: number,
              replaced: number,
              agents: list(text),
            }),
          ),
        }),
        object({
          ok,
          path: text.describe("of a path"),
          left: flag,
          departures: list(
            object({
              at: time,
              session: text,
              path: text,
              sha256: text,
              bytes: number,
              tool: text,
              agent: text.nullable(),
              same: flag.nullable(),
            }),
          ),
          commands: list(object({ at: time, session: text, agent: text.nullable(), command: text })),
        }),
      ),
    ),
  ],
};
