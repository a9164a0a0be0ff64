// `tool permissions add` and `remove`: changes one rule in the settings and leaves everything else in the files unchanged.
import type { RuleKind } from "../../settings/edit.ts";
import { note } from "../note.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { settingsPlaces } from "./open-settings.ts";
import type { OwnScope } from "./write-settings.ts";

export const editScopes = ["user", "project", "local"] as const satisfies OwnScope[];
export const ruleKinds = ["allow", "ask", "deny"] as const;

/** Without a scope, a rule is added where the answer "always" to a question adds it, and removed from every file that has it. */
export type EditFlags = { scope?: (typeof editScopes)[number]; kind?: RuleKind };
export type Edit = EditFlags & { verb: "add" | "remove"; rule: string };

/** The result in one file. `said`: one sentence without its full stop. */
export type Edited = { file: string; changed: boolean; kinds: RuleKind[]; said: string };

export async function editPermissions(world: World, { json, ...edit }: Edit & { json?: boolean }): Promise<ExitCode> {
  const done = await editRules(world, edit);
  const ok = edit.verb === "add" || done.some(({ changed }) => changed);
  for (const { said, ...fact } of done) {
    const shown = json ? JSON.stringify({ ok, ...fact, rule: edit.rule.trim() }) : said;
    world.stdout.write(`${shown}\n`);
  }
  if (edit.verb === "add") for (const warning of await warningsOf(world, edit)) note(world, warning);
  return ok ? 0 : 2;
}

/** What a person may not have meant by a rule that was added: one for everything, or one that another rule makes pointless. */
async function warningsOf(world: World, { rule: text, kind = "allow" }: Edit): Promise<string[]> {
  const [{ parseRule }, { loadSettings }, disk] = await Promise.all([
    import("../../permissions/rules.ts"),
    import("../../settings/files.ts"),
    world.edges.disk(),
  ]);
  const rule = text.trim();
  const parsed = parseRule(rule);
  const loaded = loadSettings(disk, settingsPlaces(world));
  if (!parsed.ok || !loaded.ok) return [];
  const { tool, kind: covers } = parsed.rule;
  const placesOf = (other: RuleKind) =>
    loaded.files.flatMap(({ file, settings }) => (settings.permissions?.[other]?.includes(rule) ? [file ?? "the command line"] : []));
  const every = tool === "Bash" ? "every command" : `every use of ${tool}`;
  return [
    ...(kind === "allow" && covers === "any" && tool === "Bash"
      ? [`${rule} allows every command, such as rm and curl, without a question.`]
      : []),
    ...(kind === "deny" && covers === "any" ? [`${rule} denies ${every}, and no allow rule can lift that.`] : []),
    ...(kind === "deny"
      ? []
      : placesOf("deny").map((file) => `${rule} is also denied in ${file}. A deny rule wins: this one has no effect.`)),
    ...(kind === "deny"
      ? [...placesOf("allow"), ...placesOf("ask")].map(
          (file) => `${rule} is also in ${file}, where it has no effect any more: a deny rule wins.`,
        )
      : []),
  ];
}

/** Throws UsageError if the rule or a file cannot be understood; then nothing has been changed. */
export async function editRules(world: World, edit: Edit): Promise<Edited[]> {
  const [{ parseRule }, { isSensitiveName }, { settingsFiles }, disk] = await Promise.all([
    import("../../permissions/rules.ts"),
    import("../../permissions/paths/places.ts"),
    import("./write-settings.ts"),
    world.edges.disk(),
  ]);
  const rule = edit.rule.trim();
  const parsed = parseRule(rule);
  const isAboutSecrets = parsed.ok && parsed.rule.kind === "path" && isSensitiveName(parsed.rule.pattern.pattern);
  if (edit.verb === "add" && !parsed.ok) throw new UsageError(parsed.reason);
  const fileOf = settingsFiles(world, disk);
  const files = [...new Set(scopesOf(edit).map((scope) => fileOf[scope]))];
  const looked = await Promise.all(files.map((file) => planEdit(world, file, { ...edit, rule })));
  const { writeSettings } = await import("./write-settings.ts");
  const waits = new Set<string>();
  for (const { file, text } of looked) if (text !== undefined && !(await writeSettings(world, { file, text }))) waits.add(file);
  const changed = looked.filter(({ text }) => text !== undefined);
  const told = changed.length > 0 ? changed : looked.slice(0, 1);
  return told.map(({ file, text, kinds, said }) => {
    const where = changed.length > 0 || edit.scope || edit.verb === "add" ? file : "your settings or this project's";
    const scope = editScopes.find((one) => fileOf[one] === file)!;
    const liftsNothing = isAboutSecrets && edit.verb === "add" && !narrows(kinds) && scope !== "user";
    const reach = liftsNothing ? withoutPower : text !== undefined && edit.verb === "add" ? reaches[scope] : "";
    const waiting = edit.verb === "add" && waits.has(file) && !narrows(kinds);
    return { file, changed: text !== undefined, kinds, said: `${said} ${where}${waiting ? untilTrusted : reach}` };
  });
}

/** Restrictions from any repository apply. */
const narrows = (kinds: RuleKind[]) => !kinds.includes("allow");
const reaches = {
  user: ", for all your projects",
  project: ", for everybody who works on this project",
  local: ", for you in this project (--scope user: in all your projects)",
};
const withoutPower =
  ", where it has no effect on files that usually hold secrets: a project's rules never open them. Add it with --scope user";
const untilTrusted = ", where it has no effect until you trust this project (tool asks when a session starts)";

const scopesOf = ({ scope, verb }: Edit) => (scope ? [scope] : verb === "add" ? (["local"] as const) : editScopes);

type PlannedEdit = { file: string; text?: string; kinds: RuleKind[]; said: string };

async function planEdit(world: World, file: string, edit: Edit): Promise<PlannedEdit> {
  const [{ parseSettings }, disk] = await Promise.all([import("../../settings/settings.ts"), world.edges.disk()]);
  const text = disk.read(file)?.toString("utf8");
  const read = text === undefined || text.trim() === "" ? undefined : parseSettings(text, file);
  if (read && !read.ok) throw new UsageError(read.reason);
  return { file, ...(await edited(text, edit)) };
}

/** Without a text nothing is written. */
async function edited(text: string | undefined, { verb, rule, kind }: Edit): Promise<Omit<PlannedEdit, "file">> {
  const { addRule, removeRule } = await import("../../settings/edit.ts");
  if (verb === "add") {
    const added = addRule(text, kind ?? "allow", rule);
    const kinds = [kind ?? ("allow" as const)];
    return added.there ? { kinds, said: `${rule} is already in` } : { text: added.text, kinds, said: `Added ${kinds[0]} ${rule} to` };
  }
  const { text: left, removed } = removeRule(text ?? "{}", kind ? [kind] : ["allow", "ask", "deny"], rule);
  if (removed.length === 0) return { kinds: [], said: `There is no rule ${rule} in` };
  return { text: left, kinds: removed, said: `Removed ${removed.join(" and ")} ${rule} from` };
}
