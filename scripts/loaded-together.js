// Which modules are one chunk, because they are loaded together anyway: what is read, checked and handed to V8 in one piece starts sooner than in
// a hundred and fifty. All else the bundler divides by who imports it.
import { resolve } from "node:path";

/**
 * The modules whose code each chunk has, with all that they import, without what an earlier one has: so no two chunks import each other. `start`
 * is in every start, `basics` in all but the check of a commit, which has `gate`, `question` in the first prompt as in every session, `command` in
 * all but the first prompt, `common` in commands as in sessions, `session` in every session, a member's too, `pane` wherever one of tmux is found
 * again, `print` and `screen` in sessions without and on a screen, and `member` in those of a team.
 */
const roots = {
  start: [
    "cli/program",
    "cli/look-through",
    "app/world",
    "edge/clock",
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
    "subagents/ended-note",
    "subagents/workers/worker-rules",
    "wording/capital",
    "wording/last-written",
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
    "app/print/print-reply",
    "app/settings/config",
    "app/settings/open-settings",
    "app/team/open-team",
    "edge/disk/definition-files",
    "edge/disk/watch",
    "edge/lock/lock",
    "edge/model/proxy",
    "settings/files",
    "settings/known-settings",
    "team/resume/resumable",
  ],
  session: [
    "agent/requests/abilities",
    "agent/workspace",
    "app/session/session-setup",
    "app/session/session-tools",
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
    "world/workspace-ports",
  ],
  pane: ["edge/display/tmux/attach"],
  print: ["app/session/print-session"],
  screen: ["app/session/screen/attended-session"],
  member: ["app/team/member/member"],
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
