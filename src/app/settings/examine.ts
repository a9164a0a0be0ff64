// The checks of `tool doctor` and /doctor: a list of findings, each with advice.
import { basename, dirname } from "node:path";
import { openingState, underSettings } from "../../agent/ports/sandbox-state.ts";
import { isSensitiveName } from "../../permissions/paths/places.ts";
import type { SandboxFinding } from "../../permissions/policy.ts";
import type { State, Style } from "../../screen/style.ts";
import type { HungText } from "../../screen/table.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { isTemplate, secretFile } from "../../secrets/formats/files.ts";
import { scanFiles } from "../../secrets/scan-files.ts";
import { type LoadedSettings, type LoadResult, loadSettings } from "../../settings/files.ts";
import { errorText } from "../../wording/error-text.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { agentModel } from "../agent-model.ts";
import { diskFault } from "../disk-fault.ts";
import type { ModelChoice, World } from "../world.ts";
import { hooksHere } from "./hooks-here.ts";
import type { ConfigFolder, GitFiles, Machine } from "./machine.ts";
import { settingsPlaces } from "./open-settings.ts";
import { policyHere } from "./policy-here.ts";
import { settingsNotices } from "./trust.ts";

export type Finding = {
  what: string;
  /** `weak`: it works, with less. `broken`: something does not work. */
  state: "fine" | "weak" | "broken";
  text: string;
  advice?: string;
};

export async function examine(world: World): Promise<Finding[]> {
  const { edges, env, cwd, configDir } = world;
  const disk = await edges.disk();
  const settings = loadSettings(disk, settingsPlaces(world));
  const { choice } = settings.ok ? agentModel(world, settings.effective) : { choice: { env, paced: false } };
  const [machine, problem, sandbox] = await Promise.all([
    edges.machine({ cwd, configDir }),
    edges.modelProblem(choice),
    edges.sandboxTrial([cwd, ...(settings.ok ? foldersOf(settings) : [])]),
  ]);
  return [
    versionFinding(world),
    { what: "node", state: "fine", text: `${machine.node} on ${machine.platform}` },
    ...settingsFindings(settings, world.command),
    ...(settings.ok ? await hooksThatCannotRun(world, settings) : []),
    problem
      ? { what: "model", state: "broken", text: problem }
      : { what: "model", state: "fine", text: modelText(choice, await edges.keySource(choice)) },
    ...programFindings(machine.programs),
    sandboxFinding(
      sandbox,
      settings.ok ? settings.effective.sandbox : {},
      settings.ok ? await beyond(world, settings, sandbox) : undefined,
    ),
    teamsFinding(env),
    ...skipped(machine.skippedEntries),
    ownFolder(machine.configFolder, configDir),
    ...secretFiles(machine.files && (await withSecrets(world, named(machine.files))), world.command),
  ];
}

/** What keeps a session from having the sandbox that this machine has. */
async function beyond(world: World, settings: LoadedSettings, { kind }: SandboxFinding): Promise<string | undefined> {
  if (kind !== "works" || settings.effective.sandbox.enabled === false) return undefined;
  const { policy } = await policyHere(world, settings);
  return world.edges.beyondSandbox([policy.cwd, ...policy.directories], policy);
}

/** What to run for another version; whether there is one, nobody asks. */
export function versionFinding({ version, packageDir }: Pick<World, "version" | "packageDir">): Finding {
  const isInstalled = basename(dirname(packageDir)) === "node_modules";
  const update = isInstalled ? "npm install --global tool@latest" : `git pull && npm ci && npm run build, in ${packageDir}`;
  return { what: "version", state: "fine", text: `${version}; to update: ${update}` };
}

function programFindings(programs: Machine["programs"]): Finding[] {
  const missing = {
    git: {
      what: "git",
      text: "not found",
      advice: "Without it there are no worktrees, no scan of staged files, no list of changed files.",
    },
    rg: { what: "search", text: "rg not found; a slower search is used instead", advice: "Install ripgrep." },
    tmux: { what: "tmux", text: "not found; teammates are shown inside your terminal", advice: "Install tmux 3.2 or newer for panes." },
  };
  return (["git", "rg", "tmux"] as const).map((name): Finding => {
    const text = programs[name];
    return text ? { what: missing[name].what, state: "fine", text } : { ...missing[name], state: "weak" };
  });
}

async function hooksThatCannotRun(world: World, settings: LoadedSettings): Promise<Finding[]> {
  const { hooks } = await hooksHere(world, settings);
  return hooks.flatMap(({ fault, event, file }): Finding[] => {
    if (!fault) return [];
    const { program, kind } = fault;
    const mend = kind === "not executable" ? `chmod +x ${shellWord(program)}` : "Put it there";
    const text = `the program of a hook for ${event} is ${kind}: ${program}`;
    return [{ what: "hooks", state: "weak", text, advice: `${mend}, or take the hook out of ${file ?? "the settings"}.` }];
  });
}

/** One line a finding, its advice below it. */
export function findingsTable(findings: Finding[], style: Style): HungText {
  const states: Record<Finding["state"], State> = { fine: "done", weak: "needs_you", broken: "failed" };
  const widest = Math.max(...findings.map(({ what }) => what.length));
  const hang = widest + 6;
  const lines = findings.flatMap(({ what, state, text, advice }) => [
    `  ${style.state(states[state], style.symbol(states[state]))} ${what.padEnd(widest)}  ${visibleLine(text)}`,
    ...(advice ? [style.dim(`${" ".repeat(hang)}${visibleLine(advice)}`)] : []),
  ]);
  return { text: lines.join("\n"), hang };
}

/** Adds the files that `doctor` found to .gitignore by name. Returns one line about what was done. */
export async function ignoreSecretFiles(world: World): Promise<string> {
  const { files } = await world.edges.machine(world);
  if (!files) return `Nothing was added to .gitignore: ${noRepository}.`;
  const open = (await withSecrets(world, named(files))).uncovered;
  if (open.length === 0) return "Nothing was added to .gitignore: it covers all files that may hold secrets.";
  const disk = await world.edges.disk();
  const path = `${world.cwd}/.gitignore`;
  const before = disk.read(path)?.toString("utf8") ?? "";
  const there = new Set(before.split(/\r?\n/));
  const added = open.filter((each) => !there.has(ignoreRule(each)));
  if (added.length === 0) return `Nothing was added to .gitignore: other rules undo those for ${open.map(visibleLine).join(", ")}.`;
  try {
    disk.append(path, `${before === "" || before.endsWith("\n") ? "" : "\n"}${added.map(ignoreRule).join("\n")}\n`, { shared: true });
  } catch (error) {
    return `Nothing was added to .gitignore: ${visibleLine(errorText(error))}.`;
  }
  return `Added to .gitignore: ${added.map(visibleLine).join(", ")}.`;
}

/** A .gitignore pattern for exactly this file. */
function ignoreRule(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]!# ]/g, "\\$&")}`;
}

function settingsFindings(settings: LoadResult, command: string): Finding[] {
  if (!settings.ok) return settings.reason.split("\n").map((text) => ({ what: "settings", state: "broken", text }));
  return settingsNotices(settings, command).map((text) => ({ what: "settings", state: "weak", text }));
}

/** Other programs of the person are still found in these entries; only the programs that this program starts itself are not. */
function skipped(entries: { entry: string; why: string }[]): Finding[] {
  if (entries.length === 0) return [];
  const named = entries.map(({ entry, why }) => `"${entry}" (${why})`).join(", ");
  const advice =
    "An agent could put a program there that would run outside the sandbox. A link to root's own program of the same name is still accepted in an absolute entry. Commands of agents still get the whole PATH.";
  return [{ what: "path", state: "weak", text: `bash, bwrap, git, rg and tmux are not taken from ${named}`, advice }];
}

function teamsFinding(env: World["env"]): Finding {
  const isOn = env["TOOL_EXPERIMENTAL_AGENT_TEAMS"] === "1";
  const text = isOn ? "enabled by TOOL_EXPERIMENTAL_AGENT_TEAMS=1" : "experimental and off; TOOL_EXPERIMENTAL_AGENT_TEAMS=1 enables them";
  return { what: "teams", state: "fine", text };
}

const foldersOf = ({ effective }: LoadedSettings) => effective.directories.map(({ path }) => path);

/** Uses the same trial and decision as a session that opens here. */
export function sandboxFinding(trial: SandboxFinding, own: LoadedSettings["effective"]["sandbox"], beyond?: string): Finding {
  const opening = openingState(own, trial);
  const state = beyond === undefined ? opening : underSettings({ kind: "lost", why: beyond }, own);
  switch (state.kind) {
    case "active":
      return {
        what: "sandbox",
        state: "fine",
        text: `commands run in it${own.network === true ? ", with the network" : own.network === false ? ", without network" : ", and hosts are asked about"}`,
      };
    case "off":
      return { what: "sandbox", state: "weak", text: "your settings turn it off", advice: withoutSandbox };
    case "missing":
      return { what: "sandbox", state: "weak", text: state.why, advice: withoutSandbox };
    case "lost":
      return { what: "sandbox", state: "broken", text: state.why, advice: "You are asked for every command." };
    case "refused":
      return { what: "sandbox", state: "broken", text: state.why, advice: "No command runs, because sandbox.required is set." };
  }
}

const withoutSandbox =
  'Rules apply as written. An allowed command can do whatever you can: deny rules cover the files that it names, not those that its programs open, and it could act on your behalf. On Linux, install bubblewrap. To have commands refused instead, set "sandbox": { "required": true }.';

function modelText({ env, script, cloud, baseURL = env["ANTHROPIC_BASE_URL"] }: ModelChoice, source: string | undefined): string {
  if (script !== undefined) return `the answers come from ${script}, not from a model`;
  if (cloud !== undefined) return `the credentials come from ${source}; they were not tried`;
  return `the key comes from ${source}${baseURL ? `, for ${baseURL}` : ""}; it was not tried`;
}

export function ownFolder(folder: ConfigFolder, configDir: string): Finding {
  const what = "files";
  if (folder.kind === "absent") return { what, state: "fine", text: `${configDir} does not exist yet` };
  if (folder.kind === "refused") {
    const fault = diskFault(folder, configDir);
    return { what, state: "broken", ...(fault ?? { text: `Cannot use ${folder.path}: ${folder.code}` }) };
  }
  if ((folder.mode & 0o077) === 0) return { what, state: "fine", text: `${configDir} is readable only by you` };
  return { what, state: "weak", text: `${configDir} can be read by others`, advice: `chmod 700 ${configDir}` };
}

/** A file may be named twice: a rule of .gitignore changes nothing for a file that git tracks. */
export function secretFiles(files: GitFiles | undefined, command: string): Finding[] {
  const what = "secrets";
  if (!files) return [{ what, state: "weak", text: `${noRepository}, so nothing was checked` }];
  const { uncovered, tracked } = named(files);
  const findings: Finding[] = [];
  if (uncovered.length > 0) {
    findings.push({
      what,
      state: "weak",
      text: `not covered by .gitignore: ${firstOf(uncovered)}`,
      advice: `To write the rules: ${command} doctor --fix`,
    });
  }
  if (tracked.length > 0) {
    const remove = `git rm --cached -- ${tracked.map(shellWord).join(" ")}`;
    const advice = `To keep the files and have git forget them: ${remove}. Earlier commits still hold them: replace secrets that were committed.`;
    findings.push({ what, state: "weak", text: `tracked by git: ${firstOf(tracked)}`, advice });
  }
  if (findings.length > 0) return findings;
  return [
    {
      what,
      state: "fine",
      text: `git ignores every file whose name says that it holds secrets; to look into all files: ${command} secrets scan`,
    },
  ];
}

/** Judged by their contents, as `tool secrets scan --staged` judges them. Leaves out what was read and has none. A file that cannot be read here counts by its name. */
export async function withSecrets({ cwd, edges }: Pick<World, "cwd" | "edges">, { tracked, uncovered }: GitFiles): Promise<GitFiles> {
  const { scanner, files } = await edges.secrets();
  const clean = new Set<string>();
  for (const path of new Set([...tracked, ...uncovered])) {
    try {
      const { findings, unread } = await scanFiles(files(cwd, [path]), { scanner, names: "commit" });
      if (findings.length === 0 && unread.length === 0) clean.add(path);
    } catch {
      // It is not in the working tree, where its contents could be looked at.
    }
  }
  const holds = (path: string) => !clean.has(path);
  return { tracked: tracked.filter(holds), uncovered: uncovered.filter(holds) };
}

/** Those whose names say so. */
function named({ tracked, uncovered }: GitFiles): GitFiles {
  return { tracked: tracked.filter(usuallyHoldsSecrets), uncovered: uncovered.filter(usuallyHoldsSecrets) };
}

/** By its name, whatever it contains: the names that agents are asked about, and those that no commit should have. */
function usuallyHoldsSecrets(path: string): boolean {
  return secretFile(path, "") !== undefined || (isSensitiveName(path) && !isTemplate(path));
}

const noRepository = "this folder is not in a git repository";

const firstOf = (paths: string[]) => `${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""}`;
