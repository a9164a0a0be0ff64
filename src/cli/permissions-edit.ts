// `tool permissions add` and `remove`: one rule in one settings file, everything else in it as it was.
import { join } from "node:path";
import type { RuleKind } from "../permissions/settings-edit.ts";
import { settingsPlaces } from "./open-settings.ts";
import { type ExitCode, UsageError, type World } from "./world.ts";

export type EditFlags = { scope: "user" | "project" | "local"; kind?: RuleKind; json?: boolean };
export type Edit = EditFlags & { verb: "add" | "remove"; rule: string };

export async function editPermissions(world: World, edit: Edit): Promise<ExitCode> {
  const [{ parseRule }, { parseSettings }, { projectRoot }, disk] = await Promise.all([
    import("../permissions/rules.ts"),
    import("../permissions/settings.ts"),
    import("../permissions/settings-files.ts"),
    world.edges.disk(),
  ]);
  const rule = edit.rule.trim();
  const parsed = parseRule(rule);
  if (edit.verb === "add" && !parsed.ok) throw new UsageError(parsed.reason);
  const file = fileOf(edit.scope, { configDir: world.configDir, root: projectRoot(disk, world.cwd) });
  const text = disk.read(file)?.toString("utf8");
  const read = text === undefined || text.trim() === "" ? undefined : parseSettings(text, file);
  if (read && !read.ok) throw new UsageError(read.reason);
  const done = await edited(text, { ...edit, rule });
  if (done.text !== undefined) await write(world, { file, text: done.text });
  const changed = done.text !== undefined;
  if (edit.json) world.stdout.write(`${JSON.stringify({ ok: true, changed, file, rule, kinds: done.kinds })}\n`);
  else world.stdout.write(`${done.said} ${file}\n`);
  return edit.verb === "remove" && !changed ? 1 : 0;
}

/** Whoever trusts a project and changes its settings by hand goes on trusting it. */
async function write(world: World, { file, text }: { file: string; text: string }): Promise<void> {
  const [{ loadSettings }, { recordTrust }, disk, clock] = await Promise.all([
    import("../permissions/settings-files.ts"),
    import("../permissions/trust.ts"),
    world.edges.disk(),
    world.edges.clock(),
  ]);
  const before = loadSettings(disk, settingsPlaces(world));
  disk.makeFolder(file.slice(0, file.lastIndexOf("/")));
  disk.replace(file, text);
  const after = loadSettings(disk, settingsPlaces(world));
  if (!before.ok || !after.ok || before.trust.state !== "trusted" || after.trust.state === "trusted" || after.hash === undefined) return;
  recordTrust(disk, { configDir: world.configDir, root: after.root, hash: after.hash, at: clock.now() });
}

function fileOf(scope: EditFlags["scope"], { configDir, root }: { configDir: string; root: string }): string {
  if (scope === "user") return join(configDir, "settings.json");
  return join(root, ".tool", scope === "project" ? "settings.json" : "settings.local.json");
}

/** Without a text nothing is to be written. */
type Edited = { text?: string; kinds: RuleKind[]; said: string };

async function edited(text: string | undefined, { verb, rule, kind }: Edit): Promise<Edited> {
  const { addRule, removeRule } = await import("../permissions/settings-edit.ts");
  if (verb === "add") {
    const added = addRule(text, kind ?? "allow", rule);
    const kinds = [kind ?? ("allow" as const)];
    return added.there ? { kinds, said: `${rule} is there already:` } : { text: added.text, kinds, said: `Added ${kinds[0]} ${rule} to` };
  }
  const { text: left, removed } = removeRule(text ?? "{}", kind ? [kind] : ["allow", "ask", "deny"], rule);
  if (removed.length === 0) return { kinds: [], said: `There is no rule ${rule} in` };
  return { text: left, kinds: removed, said: `Removed ${removed.join(" and ")} ${rule} from` };
}
