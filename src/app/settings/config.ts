// `tool config` and /config: every setting with its value, its help, and the file that says so.
import type { Style } from "../../screen/style.ts";
import { aligned, cell, type HungText } from "../../screen/table.ts";
import { shortened, visibleLine } from "../../screen/visible-text.ts";
import { valueAt } from "../../settings/edit.ts";
import { type KnownSetting, knownSettings, type SettingSource, type SettingsHere, settingPath } from "../../settings/known-settings.ts";
import { plural } from "../../wording/figures.ts";
import { nearestName } from "../../wording/nearest-name.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { openSettings } from "./open-settings.ts";

/** `words`: which settings, by the beginning of their names; all of them if there is none. */
export async function listConfig(world: World, { name, json }: { name?: string | undefined; json?: boolean }): Promise<ExitCode> {
  const known = named(await settingsOf(world), name);
  const { styleOf } = await import("../print/print-reply.ts");
  const { fitted } = await import("../print/fitted.ts");
  const text = json ? JSON.stringify({ ok: true, settings: known.map(asJson) }) : configTable(known, world, styleOf(world)).text;
  world.stdout.write(`${json ? text : await fitted(world.stdout, text)}\n`);
  return 0;
}

/** Prints the value that counts, a text as it is. Exit code 1 if nothing is set and there is no default. */
export async function getConfig(world: World, { name, json }: { name: string; json?: boolean }): Promise<ExitCode> {
  const [setting] = exactly(await settingsOf(world), name);
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, ...asJson(setting) })}\n`);
  else if (setting.value === undefined) world.stderr.write(`tool: "${name}" is not set.\n`);
  else if (setting.variable) world.stderr.write(`tool: ${setting.variable} of the environment counts instead.\n`);
  if (!json && setting.value !== undefined)
    world.stdout.write(`${typeof setting.value === "string" ? setting.value : JSON.stringify(setting.value)}\n`);
  return setting.value === undefined ? 1 : 0;
}

async function settingsOf(world: World): Promise<KnownSetting[]> {
  return knownSettings(await openSettings(world, {}), world.env);
}

/** For a session that has its settings. Without a name, those that somebody has set: all of them fill several screens. */
export function configText(settings: SettingsHere, world: World, { style, name }: { style: Style; name: string }): HungText {
  const known = knownSettings(settings, world.env);
  if (name !== "") return configTable(named(known, name), world, style);
  const set = known.filter(({ sources, variable }) => sources.length > 0 || variable);
  const rest = `${plural(known.length - set.length, "other setting")} as by default: /config and the beginning of a name, such as /config sandbox`;
  const { text, hang } = configTable(set, world, style);
  return { text: [text, style.dim(rest)].filter(Boolean).join("\n"), hang };
}

function named(known: KnownSetting[], name = ""): KnownSetting[] {
  const found = known.filter((setting) => setting.name === name || setting.name.startsWith(name));
  return found.length > 0 ? found : [exactly(known, name)[0]];
}

/**
 * Also an entry of a setting with named entries, or a key of one: `env.CI`, `members.x.command`. Throws UsageError with the name that was
 * probably meant.
 */
function exactly(known: KnownSetting[], name: string): [KnownSetting] {
  const found = known.find((setting) => setting.name === name);
  if (found) return [found];
  const group = known.find((setting) => name.startsWith(`${setting.name}.`));
  if (group) return [entryOf(group, name)];
  const names = known.map((setting) => setting.name);
  const near = nearestName(name, names) ?? names.find((one) => one.endsWith(`.${name}`));
  throw new UsageError(`there is no setting "${name}". ${near ? `Did you mean "${near}"?` : "To list all of them: tool config"}`);
}

function entryOf({ sources, ...group }: KnownSetting, name: string): KnownSetting {
  const path = settingPath(name).slice(group.name.split(".").length);
  const of = (value: unknown) => valueAt(value, path);
  const own = sources.map((source) => ({ ...source, value: of(source.value) })).filter(({ value }) => value !== undefined);
  return { ...group, name, value: of(group.value), sources: own };
}

const asJson = ({ name, help, value, without, repository, variables, variable, sources }: KnownSetting) => ({
  name,
  value: value ?? null,
  default: without ?? null,
  help,
  repository,
  variables: variables ?? [],
  variable: variable ?? null,
  sources,
});

const longestValue = 44;

function configTable(known: KnownSetting[], world: Pick<World, "home">, style: Style): HungText {
  const rows = known.map((setting) => [
    cell(setting.name, style.bold),
    cell(setting.value === undefined ? "–" : shortened(visibleLine(JSON.stringify(setting.value)), longestValue)),
    cell(originText(setting, world), style.dim),
  ]);
  const lines = aligned(rows).map((row, index) => `${row}\n${style.dim(`    ${known[index]?.help}`)}`);
  return { text: lines.join("\n"), hang: 4 };
}

function originText({ sources, variable, value }: KnownSetting, { home }: Pick<World, "home">): string {
  const held = sources.filter(({ counts }) => counts !== "yes");
  const counting = sources.filter(({ counts }) => counts === "yes");
  const from = Array.isArray(value) ? counting : counting.slice(0, 1);
  return [
    ...(variable ? [`${variable} counts instead`] : []),
    ...(from.length > 0
      ? [from.map((source) => placeText(source, home)).join(", ")]
      : held.length > 0
        ? []
        : value === undefined
          ? []
          : ["default"]),
    ...held.map((source) => `${source.counts === "never" ? "never counts from" : "waits for trust:"} ${placeText(source, home)}`),
  ].join("; ");
}

function placeText({ scope, file }: SettingSource, home: string): string {
  if (file === undefined) return scope;
  return `${visibleLine(file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file)}${scope === "managed" ? " (managed)" : ""}`;
}
