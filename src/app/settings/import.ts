// `tool import`: shows what other agents keep that can be taken over, and writes it once the person has said so.
import { join } from "node:path";
import { visibleLine } from "../../screen/visible-text.ts";
import { type Addition, type Found, leftOut, type Remark } from "../../settings/elsewhere/found.ts";
import { merged } from "../../settings/elsewhere/merge.ts";
import { parsedFile } from "../../settings/elsewhere/parsed-file.ts";
import { type Source, sources, unread } from "../../settings/elsewhere/sources.ts";
import { projectRoot } from "../../settings/files.ts";
import { readableJson } from "../../settings/json-places.ts";
import { type ExitCode, UsageError, type World } from "../world.ts";
import { plannedTexts } from "./import-texts.ts";
import { type OwnScope, settingsFiles, writeSettings, writeText } from "./write-settings.ts";

type From = { from: string };
/** `kind`: a settings file, or a file of its own. */
type Target = { kind: "settings" | "text"; file: string; text: string; add: (Addition & From)[] };
type Plan = { targets: Target[]; changed: (Remark & From)[]; leftOut: (Remark & From)[] };

export async function importSettings(world: World, { yes, json }: { yes?: boolean; json?: boolean }): Promise<ExitCode> {
  const plan = await planned(world);
  const written = yes === true && plan.targets.length > 0;
  if (written) for (const target of plan.targets) await (target.kind === "text" ? writeText : writeSettings)(world, target);
  world.stdout.write(json ? `${JSON.stringify(asJson(plan, written))}\n` : `${asText(plan, { written, command: world.command })}\n`);
  return 0;
}

async function planned(world: World): Promise<Plan> {
  const disk = await world.edges.disk();
  const root = projectRoot(disk, world.cwd);
  const folderOf = ({ scope }: Source) => (scope === "user" ? world.home : root);
  // In a home that is a project of its own, each file is read once, as the person's.
  const own = sources.filter(({ scope }) => scope === "user" || root !== world.home);
  const read = own.flatMap((source) => {
    const file = join(folderOf(source), source.path);
    const bytes = disk.size(file) === undefined ? undefined : disk.read(file);
    return bytes ? [{ source, file, found: foundIn(bytes.toString("utf8"), source) }] : [];
  });
  const files = settingsFiles(world, disk);
  const targets = (["user", "project", "local"] as const satisfies OwnScope[]).flatMap((scope) => {
    const additions = read
      .filter((one) => one.source.scope === scope)
      .flatMap(({ file, found }) => found.add.map((one) => ({ ...one, from: file })));
    return additions.length === 0
      ? []
      : [{ additions, ...mergedFile(files[scope], disk.read(files[scope])?.toString("utf8") ?? "", additions) }];
  });
  const remarks = (kind: "changed" | "leftOut") => read.flatMap(({ file, found }) => found[kind].map((one) => ({ ...one, from: file })));
  const named = unread.flatMap(({ below, path, why }) => {
    const file = join(below === "home" ? world.home : root, path);
    return disk.changedAt(file) === undefined ? [] : [{ what: "all of it", why, from: file }];
  });
  const kept = targets.flatMap(({ file, kept: list }) =>
    list.map(({ path, from }) => ({ what: path.join("."), why: `${file} has another value, which stays.`, from })),
  );
  const texts = plannedTexts({ disk, home: world.home, configDir: world.configDir, root: root === world.home ? undefined : root });
  const writes = [
    ...targets.filter(({ add }) => add.length > 0).map(({ file, text, add }) => ({ kind: "settings" as const, file, text, add })),
    ...texts.targets.map((target) => ({ kind: "text" as const, ...target })),
  ];
  const added = new Set(writes.flatMap(({ add }) => add.map(({ from }) => from)));
  return {
    targets: writes,
    changed: [...remarks("changed"), ...texts.changed].filter(({ from }) => added.has(from)),
    leftOut: [...remarks("leftOut"), ...kept, ...texts.leftOut, ...named],
  };
}

function foundIn(text: string, { path, read }: Source): Found {
  const parsed = parsedFile(path, text);
  return parsed.ok ? read(parsed.value) : leftOut("the file", parsed.reason);
}

function mergedFile(file: string, before: string, additions: (Addition & From)[]) {
  const json = before.trim() === "" ? { ok: true as const, value: {} } : readableJson(before);
  if (!json.ok) throw new UsageError(`Cannot import into ${file}: it is not JSON: ${json.reason}. Nothing was written.`);
  if (typeof json.value !== "object" || json.value === null || Array.isArray(json.value))
    throw new UsageError(`Cannot import into ${file}: it is not an object. Nothing was written.`);
  const { text, added, kept } = merged(before.replace(/^\uFEFF/, ""), additions);
  return { file, text, add: added as (Addition & From)[], kept: kept as (Addition & From)[] };
}

const asJson = ({ targets, changed, leftOut: left }: Plan, written: boolean) => ({
  ok: true,
  written,
  files: targets.map(({ file, add }) => ({ file, add: add.map(({ path, value, from }) => ({ key: path.join("."), value, from })) })),
  changed,
  left_out: left,
});

function asText({ targets, changed, leftOut: left }: Plan, { written, command }: { written: boolean; command: string }): string {
  const remarks = (title: string, list: (Remark & From)[]) =>
    list.length === 0 ? [] : ["", title, ...list.map(({ what, why, from }) => `  ${visibleLine(`${from}: ${what}. ${why}`)}`)];
  const files = targets.flatMap(({ file, add }) => [
    `${written ? "Written to" : "To be written to"} ${file}:`,
    ...add.map(({ path, shown, from }) => `  + ${visibleLine(`${path.join(".")}  ${shown}  (${from})`)}`),
  ]);
  return [
    ...(files.length > 0 ? files : ["Nothing of other agents is there to be taken over, or all of it is here already."]),
    ...remarks("Means something else here:", changed),
    ...remarks("Left out:", left),
    ...(files.length > 0 && !written ? ["", `Nothing was written. To write it: ${command} import --yes`] : []),
  ].join("\n");
}
