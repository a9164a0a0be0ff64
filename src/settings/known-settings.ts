// Every setting with its value here and where that comes from, for `tool config` and /config.
import type { Scope } from "../permissions/policy.ts";
import { valueAt } from "./edit.ts";
import type { LoadedSettings } from "./files.ts";
import { byStrength, isRepository, judgedSettings, type ScopedSettings } from "./scopes.ts";
import { entryKeys, type Setting } from "./setting-meaning.ts";
import { allSettings } from "./settings.ts";

/** `counts`: what is said in a repository's file may wait for trust, or never count. */
export type SettingSource = { scope: Scope; file?: string; value: unknown; counts: "yes" | "once trusted" | "never" };

export type KnownSetting = Setting & {
  /** Undefined if nothing is said and there is no default. */
  value: unknown;
  /** The strongest scope first. */
  sources: SettingSource[];
  /** A variable of the environment that counts instead. */
  variable?: string;
};

export type SettingsHere = Pick<LoadedSettings, "files" | "effective" | "trust">;

export function knownSettings(loaded: SettingsHere, env: Record<string, string | undefined>): KnownSetting[] {
  const files = loaded.files.toSorted(byStrength);
  const now = judgedSettings(files, loaded.trust.state === "trusted");
  const trusted = judgedSettings(files, true);
  return allSettings().map((setting) => {
    const path = setting.name.split(".");
    const says = (file: ScopedSettings | undefined) => !isNothing(valueAt(file?.settings, path));
    const sources = files.flatMap((source, index): SettingSource[] => {
      if (!says(source)) return [];
      const { scope, file, settings } = source;
      const free = !isRepository(scope) || isLimit(setting.name) || says(now[index]);
      const counts = free ? "yes" : says(trusted[index]) ? "once trusted" : "never";
      return [{ scope, ...(file !== undefined && { file }), value: valueAt(settings, path), counts }];
    });
    const variable = overridingVariable(setting, sources, env);
    const value = effectiveValue(setting.name, loaded, sources) ?? setting.without;
    return { ...setting, value, sources, ...(variable !== undefined && { variable }) };
  });
}

/** Lists and groups without entries say nothing. */
function isNothing(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

/** A repository may lower these without trust; the lowest counts. */
const isLimit = (name: string) => name.startsWith("agents.") && !name.endsWith("Model");

/** Managed settings and the command line precede the environment. */
function overridingVariable(
  { variables = [] }: Pick<Setting, "variables">,
  sources: SettingSource[],
  env: Record<string, string | undefined>,
) {
  const strongest = sources[0]?.scope;
  return strongest === "managed" || strongest === "command line" ? undefined : variables.find((name) => env[name]?.trim());
}

function effectiveValue(name: string, { effective }: SettingsHere, sources: SettingSource[]): unknown {
  if (name === "permissions.defaultMode") return effective.mode;
  if (name.startsWith("sandbox.") || isLimit(name) || name === "pullRequests.labels") return valueAt(effective, name.split("."));
  if (name === "statusCommand" || name === "statusLine" || name === "notifyCommand") return effective[name];
  const values = sources.filter(({ counts }) => counts === "yes").map(({ value }) => value);
  if (values.some(Array.isArray)) return [...new Set(values.flat())];
  if (values.some((value) => typeof value === "object")) return Object.assign({}, ...values.toReversed());
  return values[0];
}

/** The entry of a setting with named entries may itself contain dots; what follows it is a key of the entry, if its entries have such. */
export function settingPath(name: string): string[] {
  const group = allSettings().find(({ name: one }) => name.startsWith(`${one}.`));
  if (!group) return name.split(".");
  const entry = name.slice(group.name.length + 1);
  const key = entryKeys(group.schema).find((one) => entry.endsWith(`.${one}`));
  const rest = key === undefined ? [entry] : [entry.slice(0, -key.length - 1), key];
  return [...group.name.split("."), ...rest];
}
