// Which modules are one chunk, because they are loaded together anyway: what is read, checked and handed to V8 in one piece starts sooner than in
// a hundred and fifty. All else the bundler divides by who imports it.
import { resolve } from "node:path";

/**
 * The modules whose code each chunk has, with all that they import, without what an earlier one has: so no two chunks import each other. `start`
 * is in every start, `basics` in all but the check of a commit, which has `gate`, `question` in the first prompt as in every session, `command` in
 * all but the first prompt, `common` in commands as in sessions, `board` in commands that change a team's as in its members, `result` and `status`
 * in commands that look at a team, the former in a lead too, `session` in every session, a member's too, `pane` wherever one of tmux is found again,
 * `print` and `screen` in sessions without and on a screen, `live` where a person can type commands, `member` in every session of a team, and `lead`
 * and `teammate` in one of them. To divide by who reaches a module, as the bundler does, would make 25 chunks of `print` alone.
 */
const roots = {
  start: [
    "cli/program",
    "cli/look-through",
    "app/world",
    "edge/clock",
    "edge/disk/durable",
    "edge/git/own-folder",
    "edge/home-folder",
    "edge/own-command",
    "edge/own-theme",
    "edge/processes/helper-programs",
    "edge/processes/processes",
  ],
  basics: [
    "app/is-folder",
    "app/waker",
    "edge/disk/disk",
    "permissions/policy",
    "screen/evidence-text",
    "screen/line-widths",
    "screen/style",
    "settings/effort",
  ],
  question: [
    "agent/goal/goal",
    "agent/prompt",
    "agent/requests/retry",
    "agent/rewind/plan-files",
    "agent/session/transcript",
    "agent/usage",
    "app/resume-hint",
    "permissions/call",
    "permissions/questions/question",
    "screen/events/goal-lines",
    "screen/events/wait-words",
    "screen/questions/step",
    "team/report/read-transcript",
    "subagents/ended-note",
    "subagents/workers/worker-rules",
    "wording/capital",
    "wording/last-written",
    "wording/question-words",
  ],
  gate: [
    "edge/git/repository/new-commits",
    "edge/git/repository/repository-files",
    "edge/processes/member-processes",
    "edge/secret-scanner",
    "secrets/commit-gate",
  ],
  command: ["cli/command-tree"],
  common: [
    "app/holder-words",
    "app/note",
    "app/print/print-reply",
    "app/settings/config",
    "app/settings/open-settings",
    "app/team/open-team",
    "edge/disk/definition-files",
    "edge/disk/watch",
    "edge/lock/lock",
    "edge/model/proxy",
    "places/free-place",
    "screen/status/hands-text",
    "screen/team/member-states",
    "settings/files",
    "settings/known-settings",
    "team/end-reasons",
    "team/member-process",
    "team/resume/resumable",
  ],
  board: ["app/team/named-files", "board/create-team", "board/tasks/operations", "team/team-grants"],
  result: ["team/hung", "team/lead/result"],
  status: ["screen/team/team-status", "team/report/team-status"],
  session: [
    "agent/persons-command",
    "agent/requests/abilities",
    "agent/workspace",
    "app/controls/mode-control",
    "app/disk-notice",
    "app/print/stdin-prompt",
    "app/session/session-setup",
    "app/session/session-tools",
    "app/settings/sandbox-here",
    "app/settings/trust",
    "app/watch/running-sessions",
    "edge/disk/output-store",
    "edge/disk/patient-disk",
    "edge/git/repository/repository-state",
    "edge/model/anthropic",
    "edge/model/anthropic-client",
    "edge/model/key-helper",
    "edge/model/model-ids",
    "edge/model/stored-key",
    "edge/shell/sandbox/interrupted-command",
    "edge/shell/sandbox/state-folder",
    "edge/shell/sandbox/trial",
    "permissions/permit",
    "team/requests",
    "team/resume/changed-meanwhile",
    "team/teammate/ask-person",
    "world/workspace-ports",
  ],
  pane: ["edge/display/tmux/attach"],
  screen: ["app/session/screen/attended-session"],
  live: [
    "agent/session/idle-memory",
    "app/controls/shared-controls",
    "app/session/screen/live-session",
    "app/session/screen/status-command",
    "edge/processes/idle-memory",
  ],
  print: ["app/session/print-session"],
  member: [
    "app/team/launch-file",
    "app/team/member/live-member",
    "app/team/member/member",
    "app/team/member/member-status-facts",
    "app/team/team-place",
    "screen/status/status-line",
    "screen/team/lead-gone-text",
    "screen/terminal/focus",
    "team/failure-classes",
    "team/lead/teammate-place",
    "team/team-board",
    "team/teammate/lead-watch",
    "team/teammate/pause",
    "team/wakes",
  ],
  ended: ["team/lead/ended-members", "team/lead/start-member", "team/end-process"],
  teammate: ["app/team/member/teammate"],
};

/**
 * `entry` is what starts: what it imports itself stays in its own file. `codeSplitting`: for the bundler; throws if a root is not in the build.
 * `isLoadedAnyway`: a warning that an import later on comes too late for one of these modules, as it is meant to.
 */
export function loadedTogether(entry) {
  let chunks;
  const name = (id, context) => {
    chunks ??= chunksOf(entry, (module) => context.getModuleInfo(module)?.importedIds);
    return chunks.get(id) ?? null;
  };
  return {
    codeSplitting: { groups: [{ debugName: "loaded together", name, includeDependenciesRecursively: false }] },
    isLoadedAnyway: ({ code, id }) => code === "INEFFECTIVE_DYNAMIC_IMPORT" && Boolean(chunks?.get(id)),
  };
}

function chunksOf(entry, importsOf) {
  const chunks = new Map();
  const take = (module, chunk) => {
    if (chunks.has(module)) return;
    chunks.set(module, chunk);
    for (const imported of importsOf(module) ?? []) take(imported, chunk);
  };
  take(resolve(entry), null);
  for (const [chunk, modules] of Object.entries(roots))
    for (const module of modules) {
      const path = resolve(`src/${module}.ts`);
      if (importsOf(path) === undefined) throw new Error(`scripts/loaded-together.js names ${module}, which is not built`);
      take(path, chunk);
    }
  return chunks;
}
