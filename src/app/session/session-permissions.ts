// `/permissions` in a session: prints the list, or with arguments does what `tool permissions add` and `remove` do, with effect from the next call.
import type { Workspace } from "../../agent/workspace.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { permissionLines, permissionList } from "../../settings/permission-list.ts";
import { type Edit, editRules, editScopes, ruleKinds } from "../settings/permissions-edit.ts";
import type { World } from "../world.ts";

/** `withdrawFromTeam`: at the lead, withdraws a grant of the whole team; false if there is no such grant. */
type PermissionsOf = { world: World; work: Workspace; withdrawFromTeam?: ((rule: string) => Promise<boolean>) | undefined };

/** Returns the text to print. Throws if the arguments are invalid; then nothing has been changed. */
export async function sessionPermissions(words: string, { world, work, withdrawFromTeam }: PermissionsOf): Promise<string> {
  await work.refresh();
  if (words.trim() === "") return list(world, work);
  const edit = readEdit(words);
  const isTeams = edit.verb === "remove" && !edit.scope && work.granted().some(({ kind, rule }) => kind === "team" && rule === edit.rule);
  if (isTeams && !withdrawFromTeam)
    throw new Error(`Cannot revoke ${edit.rule} here: it is granted to the whole team. Write /permissions remove ${edit.rule} at the lead`);
  const isWithdrawn = isTeams && (await withdrawFromTeam?.(edit.rule)) === true;
  if (isWithdrawn) await work.refresh();
  const isRevoked = (edit.verb === "remove" && !edit.scope && work.revoke(edit.rule)) || isWithdrawn;
  if (!edit.kind || edit.kind === "allow" || edit.verb === "remove") await work.own({ ...edit, rule: edit.rule.trim() });
  const done = await editRules(world, edit);
  const told = done.filter(({ changed }) => changed || !isRevoked).map(({ said }) => `${said}.`);
  if (done.some(({ changed }) => changed)) await work.refresh();
  return [...(isRevoked ? [`${edit.rule} is not granted ${isWithdrawn ? "to the team" : "in this session"} any more.`] : []), ...told]
    .map(visibleLine)
    .join("\n");
}

async function list({ cwd }: World, work: Workspace): Promise<string> {
  const sandbox = await work.sandbox();
  const listed = permissionList(work.settings(), { cwd, sandbox, granted: work.granted() });
  return permissionLines({ ...listed, mode: work.mode() }, "/permissions add")
    .map(visibleLine)
    .join("\n");
}

/** The options are before or after the rule, which may itself contain blanks. */
function readEdit(words: string): Edit {
  const [, verb = "", given = ""] = /^\s*(\S+)\s*([\s\S]*)$/.exec(words) ?? [];
  if (verb !== "add" && verb !== "remove") throw new Error(`Cannot do "${verb}" with permissions. ${usage}`);
  const found: Record<string, string> = {};
  const rest = given.replaceAll(/(?<=^|\s)--(scope|kind)[\s=]+(\S+)(?=\s|$)/g, (_, name: string, value: string) => {
    found[name] = value;
    return "";
  });
  const rule = rest.trim().replace(/^(['"])([\s\S]*)\1$/, "$2");
  if (rule === "" || rule.startsWith("--")) throw new Error(`Cannot ${verb} ${rule === "" ? "no rule" : `"${rule}"`}. ${usage}`);
  const scope = oneOf(editScopes, "scope", found);
  const kind = oneOf(ruleKinds, "kind", found);
  return { verb, rule, ...(scope && { scope }), ...(kind && { kind }) };
}

const usage =
  "Write /permissions, /permissions add Bash(npm test), /permissions remove Bash(npm test); with --kind allow, ask or deny, and --scope local (the default: you in this project), project or user";

function oneOf<Value extends string>(values: readonly Value[], name: string, found: Record<string, string>): Value | undefined {
  const value = found[name];
  if (value === undefined) return undefined;
  const known = values.find((one) => one === value);
  if (known === undefined) throw new Error(`--${name} is ${values.join(", ")}, and not "${value}"`);
  return known;
}
