// `tool config set` and `unset`: changes one value in a settings file, checked before anything is written.
import { setValue, unsetValue, valueAt } from "../../settings/edit.ts";
import { loadSettings } from "../../settings/files.ts";
import { knownSettings, settingPath } from "../../settings/known-settings.ts";
import { allSettings, parseSettings, readSettings } from "../../settings/settings.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { settingsPlaces } from "./open-settings.ts";
import { type OwnScope, settingsFiles, writeSettings } from "./write-settings.ts";

export type ConfigEdit = { name: string; scope: OwnScope; json?: boolean } & ({ verb: "set"; words: string[] } | { verb: "unset" });

/** Throws UsageError, with nothing changed, if the value, the file or the place is wrong. */
export async function editConfig(world: World, edit: ConfigEdit): Promise<ExitCode> {
  const disk = await world.edges.disk();
  const { name, scope, json } = edit;
  const file = settingsFiles(world, disk)[scope];
  const path = settingPath(name);
  const before = disk.read(file)?.toString("utf8");
  const value = edit.verb === "set" ? meantValue(path, edit.words) : undefined;
  if (edit.verb === "set") refuseForRepository(world, { name, scope, file });
  const after = edit.verb === "set" ? afterSet(before, { path, value, file }) : before && afterUnset(before, { path, file });
  const changed = after !== undefined && after !== "" && after !== before;
  const trusted = changed ? await writeSettings(world, { file, text: after }) : true;
  const did = changed ? (edit.verb === "set" ? `Set ${name} to ${JSON.stringify(value)} in` : `Removed ${name} from`) : unchanged(edit);
  const said = `${did} ${file}${trusted ? "" : ", where it has no effect until you trust this project"}.`;
  const decides = whoDecides(world, { name, file }, disk);
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, name, file, changed, ...(value !== undefined && { value }) })}\n`);
  else world.stdout.write(`${said}${decides}\n`);
  return edit.verb === "unset" && !changed ? 1 : 0;
}

const unchanged = ({ verb, name }: ConfigEdit) => (verb === "set" ? `${name} has that value already in` : `There is no ${name} in`);

/** The words as the setting takes them: as they are, as JSON, or as a list. Throws UsageError with what is allowed. */
function meantValue(path: string[], words: string[]): unknown {
  const [word = ""] = words;
  const meanings: unknown[] = words.length === 1 ? [word, ...asJson(word), words] : [words];
  const judged = meanings.map((value) => ({ value, read: readSettings(nested(path, value)) }));
  const fits = judged.find(({ read }) => read.ok);
  if (fits) return fits.value;
  // The meaning that goes wrong deepest in the value is the one that was meant.
  const faultsOf = ({ read }: (typeof judged)[number]) => (read.ok ? [] : read.faults);
  const depth = (one: (typeof judged)[number]) => Math.max(...faultsOf(one).map(({ path: at }) => at.length));
  const meant = judged.reduce((best, one) => (depth(one) > depth(best) ? one : best));
  const reasons = faultsOf(meant).map(({ reason }) => reason);
  const said = reasons.join("; ").replace(/[^.?!]$/, "$&.");
  throw new UsageError(`cannot set "${path.join(".")}" to ${JSON.stringify(words.length === 1 ? word : words)}: ${said}`);
}

function asJson(word: string): unknown[] {
  try {
    return [JSON.parse(word)];
  } catch {
    return []; // an ordinary word
  }
}

const nested = (path: string[], value: unknown): unknown => path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

function afterSet(before: string | undefined, { path, value, file }: { path: string[]; value: unknown; file: string }): string {
  assertReadable(before, file);
  const after = setValue(before, path, value);
  const read = parseSettings(after, file);
  if (!read.ok) throw new UsageError(read.reason);
  return after;
}

/** A key that settings do not know can be removed too; that is how a wrong file is put right. */
function afterUnset(before: string, { path, file }: { path: string[]; file: string }): string | undefined {
  if (before.trim() === "") return undefined;
  const after = valueAt(asJson(before.replace(/^\uFEFF/, ""))[0], path) === undefined ? undefined : unsetValue(before, path);
  const read = parseSettings(after ?? before, file);
  if (!read.ok) throw new UsageError(read.reason);
  return after;
}

function assertReadable(text: string | undefined, file: string): void {
  const read = text?.trim() ? parseSettings(text, file) : undefined;
  if (read && !read.ok) throw new UsageError(read.reason);
}

function refuseForRepository({ configDir, command }: World, { name, scope, file }: { name: string; scope: OwnScope; file: string }): void {
  if (scope === "user" || file.startsWith(`${configDir}/`)) return;
  const found = allSettings().find(({ name: one }) => name === one || name.startsWith(`${one}.`));
  if (!found || found.repository.length > 0) return;
  throw new UsageError(`cannot set "${name}" in ${file}: it never counts from a repository. For yourself: ${command} config set ${name} …`);
}

/** One more sentence if something else decides. */
function whoDecides(
  world: World,
  { name, file }: { name: string; file: string },
  disk: Awaited<ReturnType<World["edges"]["disk"]>>,
): string {
  const loaded = loadSettings(disk, settingsPlaces(world));
  const setting = loaded.ok ? knownSettings(loaded, world.env).find((one) => one.name === name) : undefined;
  if (!setting?.sources.some((source) => source.file === file)) return "";
  if (setting.variable) return ` ${setting.variable} of the environment counts instead.`;
  const first = setting.sources.find(({ counts }) => counts === "yes");
  const decides = first && first.file !== file && typeof first.value !== "object";
  return decides ? ` It has no effect here: ${first.file ?? first.scope} says ${JSON.stringify(first.value)}.` : "";
}
