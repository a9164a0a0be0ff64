// `tool permissions check`: prints the decision about calls under the current settings, or about cases that bring their own settings.

import { inputOf } from "../../app/controls/input-of.ts";
import { errorLine } from "../../app/print/error-line.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import { policyHere } from "../../app/settings/policy-here.ts";
import { sandboxHere } from "../../app/settings/sandbox-here.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import type { Policy, SandboxState } from "../../permissions/policy.ts";
import type { SettingsFlags } from "../../settings/files.ts";
import type { CaseResult, CaseWorld } from "../../settings/policy-case.ts";
import { errorText } from "../../wording/error-text.ts";

export type CheckFlags = SettingsFlags & { cases?: string; json?: boolean };

const aCall = "Write it as Tool(input), such as 'Bash(npm test)' or 'Read(.env)'.";

/** Without a single case in so many lines, the file is something else. */
const mostWrongLines = 20;

/** A longer line of a case is refused; a command of 10 KB with its settings is far shorter. */
const maxLineBytes = 4 * 1024 * 1024;

export async function checkPermissions(world: World, calls: string[], flags: CheckFlags): Promise<ExitCode> {
  if (flags.cases !== undefined) return checkCases(world, flags.cases);
  if (calls.length === 0) throw new UsageError("there is nothing to check. Give calls such as 'Bash(npm test)', or --cases <file>.");
  return checkCalls(world, calls, flags);
}

async function checkCalls(world: World, texts: string[], { json, ...flags }: CheckFlags): Promise<ExitCode> {
  const [
    { callOf, caseResult },
    { locate },
    { decide },
    { unknownTool },
    { sandboxWords },
    { decidesHosts, withHosts },
    { checkText },
    { gitFacts },
    { searchedBy },
  ] = await Promise.all([
    import("../../settings/policy-case.ts"),
    import("../../permissions/call.ts"),
    import("../../permissions/decision.ts"),
    import("../../permissions/rules.ts"),
    import("../../settings/permission-list.ts"),
    import("../../agent/workspace/network/network-desk.ts"),
    import("./check-text.ts"),
    import("../../agent/workspace/git-programs.ts"),
    import("../../agent/workspace/searched-files.ts"),
  ]);
  const calls = texts.flatMap((text) => {
    const call = callOf(text);
    const unknown = call && unknownTool(call.tool);
    if (call && !unknown) return [{ text, call }];
    const problem = call ? `Cannot check "${text}": ${unknown}` : `"${text}" is not a call. ${aCall}`;
    world.stderr.write(errorLine(problem));
    return [];
  });
  if (calls.length === 0) return 2;
  const settings = await openSettings(world, flags);
  const { policy: written, real } = await policyHere(world, settings);
  const asksHosts = decidesHosts({ settings, env: world.env });
  const sandbox = (await sandboxHere(world, settings)).state;
  const policy = { ...written, ...ownTmp(world, sandbox), sandbox, proxied: sandbox.kind === "active" && asksHosts };
  const { kind: state, why = null } = { why: undefined, ...sandbox };
  const { visible } = await import("../../wording/visible.ts");
  const lines: string[] = [];
  const [{ withKept }, keptByGit, searches] = await Promise.all([
    import("../../permissions/commands/kept-files.ts"),
    world.edges.keptByGit(),
    world.edges.searches(),
  ]);
  const shown = new Map<string, ReturnType<typeof world.edges.showsHidden>>(); // a look through a history takes its time
  const showsHidden: typeof world.edges.showsHidden = (folders, isHidden) => {
    const known = shown.get(folders.join("\0")) ?? world.edges.showsHidden(folders, isHidden);
    shown.set(folders.join("\0"), known);
    return known;
  };
  for (const { text, call } of calls) {
    const { subject } = await locate(call, policy, real);
    const given = subject.kind === "command" ? subject.analysis : undefined;
    const here = { ...policy, ...(given && (await gitFacts(given, policy, { ...world.edges, real, showsHidden }))) };
    const analysis = given && (await searchedBy(given.text, here, { searches, real }));
    const located = await withKept(await locate({ ...call, ...(analysis && { analysis }) }, here, real), here, keptByGit);
    const decision = withHosts(decide(located, here), located, here);
    const { parts = [] } = decision;
    if (!json) lines.push(checkText(text, decision));
    else
      world.stdout.write(
        `${JSON.stringify({ call: text, ...caseResult(decision), sandbox: state, ...(parts.length > 0 && { parts }) })}\n`,
      );
  }
  if (!json) {
    const { fitted } = await import("../../app/print/fitted.ts");
    const words = sandboxWords({ state, why, network: asksHosts ? "asked" : (settings.effective.sandbox.network ?? false) });
    lines.push(`Decided for a session here. Sandbox: ${visible(words)}`);
    world.stdout.write(`${await fitted(world.stdout, lines.join("\n"))}\n`);
  }
  return calls.length < texts.length ? 2 : 0;
}

/** A session in the sandbox has a /tmp of its own; which folder that is, none has decided here. */
function ownTmp({ configDir, edges }: World, { kind }: SandboxState): Partial<Policy> {
  const temporary = `${configDir}/state/own/tmp`;
  return kind === "active" ? { temporary, ...(edges.hasOwnTmp() && { privateTmp: temporary }) } : {};
}

async function checkCases(world: World, file: string): Promise<ExitCode> {
  const [{ decideCase }, { requestLines }, disk, real] = await Promise.all([
    import("../../settings/policy-case.ts"),
    import("../../app/request-lines.ts"),
    world.edges.disk(),
    world.edges.realPath(),
  ]);
  const { cwd, home, configDir } = world;
  const place: CaseWorld = { cwd, home, configDir, real, exists: (path) => disk.size(path) !== undefined };
  let out: string[] = [];
  let judged = 0;
  let allJudged = true;
  for await (const line of requestLines(await inputOf(world, file), maxLineBytes)) {
    let result: CaseResult | { error: string };
    try {
      result = line.kind === "text" ? await decideCase(JSON.parse(line.text), place) : { error: lineProblems[line.kind] };
    } catch (error) {
      // A case that cannot be judged does not end the run, and is never reported as allowed.
      result = { error: `Cannot read the case: ${errorText(error)}` };
    }
    if ("error" in result) allJudged = false;
    else judged++;
    out.push(`${JSON.stringify(result)}\n`);
    if (judged === 0 && out.length === mostWrongLines)
      throw new UsageError(
        `none of the first ${mostWrongLines} lines of ${file} is a case. The last one: ${"error" in result ? result.error : ""}. What a case is: tool permissions check --help`,
      );
    if (out.length < 100) continue;
    world.stdout.write(out.join(""));
    out = [];
    if ((await world.stdout.drained()) === "closed") return 0;
  }
  world.stdout.write(out.join(""));
  return allJudged ? 0 : 1;
}

const lineProblems = { too_long: "Cannot read the case: the line is too long", not_utf8: "Cannot read the case: it is not UTF-8" };
