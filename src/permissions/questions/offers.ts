// Which rules to offer the user with a question: those that mean what they say, and that would have allowed this call.
import { dirname, relative } from "node:path";
import { subcommandRule } from "../../shell/judge/subcommand-rule.ts";
import { losesWork } from "../../shell/uses/leaves-sandbox.ts";
import type { SimpleCommand } from "../../shell/words/analysis.ts";
import { visible } from "../../wording/visible.ts";
import type { At, LocatedCall } from "../call.ts";
import { type Decision, decide } from "../decision.ts";
import { alsoGranted } from "../grants.ts";
import { escapePattern } from "../paths/path-rules.ts";
import { homeFolder, placeOf, within } from "../paths/places.ts";
import type { Policy } from "../policy.ts";
import { exactRule, parseRule, type Rule, ruleText, saysWhatItMeans, showRule } from "../rules.ts";

/** Rules that allow the call together. `always`: they may also be added to a settings file, which cannot lift every question. */
export type Offer = { rules: Rule[]; texts: string[]; always: boolean };

/** The suggested one first. Empty if no rule would help, so that nothing is promised that does not work. */
export function offers(call: LocatedCall, decision: Decision, policy: Policy): Offer[] {
  const { subject } = call;
  const loses = (command: SimpleCommand) =>
    losesWork(command, (path) => (subject.kind === "command" ? subject.kept?.get(path) : undefined));
  const keepable = subject.kind !== "command" || !subject.analysis.commands.some(loses); // else another session asks again
  const found = alternatives(call, decision, policy)
    .filter((rules) => rules.length > 0 && rules.every(isPlain) && (homeFolder(policy) === undefined || rules.every(isExact)))
    .filter((rules) => decide(call, granted(policy, rules)).decision === "allow")
    .map((rules): Offer => {
      const written = rules.map((rule) => ({ ...rule, scope: "local" as const }));
      const kept = { ...policy, allow: [...policy.allow, ...written] };
      return { rules, texts: rules.map((rule) => ruleText(rule, policy)), always: keepable && decide(call, kept).decision === "allow" };
    });
  return found.filter(({ texts }, index) => found.findIndex((other) => other.texts.join("\n") === texts.join("\n")) === index);
}

/** Many of these files are read or run by the user's programs, so a wildcard there would cover too much: only exact rules. */
function isExact(rule: Rule): boolean {
  if (rule.kind === "command") return rule.pattern.kind === "exact";
  return rule.kind === "file" || rule.kind === "name" || (rule.kind === "domain" && !rule.below);
}

const granted = (policy: Policy, rules: Rule[]): Policy => ({ ...policy, grants: alsoGranted(policy.grants, { rules }) });

/** Rules that are partly invisible, or that parse as different rules, are not offered: the user would agree to something else. */
function isPlain(rule: Rule): boolean {
  const text = showRule(rule);
  return visible(text) === text && saysWhatItMeans(rule);
}

function alternatives(call: LocatedCall, decision: Decision, policy: Policy): Rule[][] {
  const { subject } = call;
  const suggestion = suggested(call, decision);
  if (subject.kind === "command") return forCommand(call, decision, policy);
  if (!suggestion) return [];
  if (subject.kind === "host" && subject.together) {
    const all = subject.together.map((host): Rule => ({ tool: call.tool, kind: "domain", host, below: false }));
    return [[suggestion], all];
  }
  if (subject.kind !== "path") return [[suggestion]];
  const folder = dirname(subject.real);
  if (subject.access === "read" && !placeOf(subject, policy).inside && mayBeOpened(folder, policy))
    return [[suggestion], rulesOf([`Read(/${escapePattern(folder)})`])];
  return suggestion.kind === "any" && subject.access === "write"
    ? forWrite(subject.real, policy.cwd).map((rule) => [rule])
    : [[suggestion]];
}

/** The narrowest useful rule: for exactly what the call is about, or for the whole tool where only its default asks. */
export function suggested({ tool, subject }: LocatedCall, { decision, by }: Decision): Rule | undefined {
  if (decision !== "ask") return undefined;
  const isWide = by === "default" && !(subject.kind === "path" && subject.access === "read");
  const exact = isWide && subject.kind === "path" ? undefined : exactRule(tool, subject);
  return exact ?? (isWide ? { tool, kind: "any" } : undefined);
}

/** The file, its folder, and every file: as Edit, which covers every way to write. */
function forWrite(path: string, cwd: string): Rule[] {
  const folder = dirname(path);
  const below = folder === cwd ? [] : rulesOf([`Edit(/${escapePattern(folder)}/**)`]);
  return [{ tool: "Edit", kind: "file", path }, ...below, { tool: "Edit", kind: "any" }];
}

/** Nobody reads more rules than this. */
const mostParts = 12;

/** A rule for each part that needs one: program with subcommand, and exact. The whole line only if its parts cannot be determined. */
function forCommand(call: LocatedCall, { parts = [] }: Decision, policy: Policy): Rule[][] {
  if (call.subject.kind !== "command") return [];
  const { analysis, files } = call.subject;
  const asked = analysis.commands.flatMap((command, at) => (parts[at]?.decision === "ask" ? [{ command, at }] : []));
  const whole = exactly(call.subject.command.trim());
  if (analysis.unclear !== undefined || asked.length === 0 || asked.length > mostParts) return [whole];
  const wide = (command: SimpleCommand) => bash(subcommandRule(command));
  const exact = (command: SimpleCommand) => exactly(command.text);
  const apart = (rules: Rule[]) => rules.map((rule) => [rule]);
  const forms = [
    (command: SimpleCommand) => [readOutside(command, files, policy), ...apart([...wide(command), ...exact(command)])],
    (command: SimpleCommand) => apart([...exact(command), ...wide(command)]),
  ];
  const found = forms.map((rulesFor) => {
    const rules: Rule[] = [];
    for (const { command, at } of asked) {
      const passes = (more: Rule[]) => decide(call, granted(policy, [...rules, ...more])).parts?.[at]?.decision === "allow";
      if (passes([])) continue; // a rule for the command that contains it covers it
      const there = inSharedTmp(command, files, policy);
      const alternatives = [[], ...rulesFor(command)].map((own) => [...own, ...there]);
      const fitting = alternatives.find((few) => few.length > 0 && few.every(isPlain) && passes(few));
      if (!fitting) return [];
      rules.push(...fitting);
    }
    return rules;
  });
  return found.some((rules) => rules.length > 0) ? found : [whole];
}

/** Without a private /tmp from a sandbox, files that a command puts there are one question, rather than one each. */
function inSharedTmp({ files }: SimpleCommand, places: ReadonlyMap<string, At>, policy: Policy): Rule[] {
  const shared = files.filter(({ path }) => {
    const at = path === undefined ? undefined : places.get(path);
    return at && placeOf(at, policy).common && !placeOf(at, policy).inside;
  });
  const tools = shared.length === 0 ? [] : shared.some(({ access }) => access === "write") ? ["Edit", "Read"] : ["Read"];
  return rulesOf(tools.map((tool) => `${tool}(//tmp/**)`));
}

/** What only reads files outside needs no rule of its own, only for their folders. Empty if such a folder is too much to open. */
function readOutside({ words, files, looks }: SimpleCommand, places: ReadonlyMap<string, At>, policy: Policy): Rule[] {
  const isFolder = takesFolders.has(words[0]?.value ?? "");
  const folders = files.flatMap(({ path, access, mention, recursive }) => {
    const at = path === undefined || (mention && !looks) || access === "write" ? undefined : places.get(path);
    if (!at || placeOf(at, policy).inside || placeOf(at, policy).common) return [];
    const [plain = ""] = at.real.split(/\/[^/]*[*?[{]/);
    return [isFolder || recursive || plain !== at.real ? plain : dirname(plain)];
  });
  if (!folders.every((folder) => mayBeOpened(folder, policy))) return [];
  return rulesOf([...new Set(folders)].map((folder) => `Read(/${escapePattern(folder)})`));
}

const takesFolders = new Set(["ls", "tree", "du", "find", "fd", "cd", "pushd", "git"]);

/** Deep enough to belong to one program or project: `~/.cargo/registry`, but not all of `~/.cargo`; or beside the working directory. */
function mayBeOpened(folder: string, { home, cwd }: Policy): boolean {
  const around = dirname(cwd);
  const root = [home, "/usr", "/opt", ...(within(around, home) ? [] : [around])].find((each) => within(each, folder));
  return root !== undefined && relative(root, folder).split("/").length >= (root === home ? 2 : 1) && folder !== root;
}

const bash = (texts: string[]): Rule[] => rulesOf(texts.map((text) => `Bash(${text})`));

const rulesOf = (texts: string[]): Rule[] =>
  texts.flatMap((text) => {
    const parsed = parseRule(text);
    return parsed.ok ? [parsed.rule] : [];
  });

/** A star has a meaning of its own in a rule. */
export const exactText = (text: string) => `Bash(${text.trim().replaceAll("*", "\\*")})`;
const exactly = (text: string): Rule[] => rulesOf([exactText(text)]);
