// One test case for a policy: settings, a call, and the resulting decision. People use it to test a policy before they rely on it.
import { resolve } from "node:path";
import { z } from "zod";
import { type Call, locate } from "../permissions/call.ts";
import { type Decision, decide } from "../permissions/decision.ts";
import { makePolicy, type SandboxState } from "../permissions/policy.ts";
import { placedWords } from "../wording/issue-words.ts";
import { mergeSettings, type ScopedSettings } from "./scopes.ts";
import { readSettings, type Settings } from "./settings.ts";

/** Ignored keys, for notes beside a case. */
const remark = z.unknown().optional();

const oneCase = z.strictObject({
  id: remark,
  name: remark,
  note: remark,
  expect: remark,
  settings: z.unknown().optional(),
  trusted: z.boolean().optional(),
  toolignore: z.string().optional(),
  cwd: z.string().optional(),
  call: z.strictObject({ tool: z.string(), input: z.unknown().optional() }),
  agent: z.strictObject({ tools: z.array(z.string()).optional() }).optional(),
  sandbox: z.enum(["active", "missing", "unavailable", "lost"]).default("active"),
});

/** How cases are judged. `real` follows links; `exists` says whether there is a disk to follow them on. */
export type CaseWorld = {
  cwd: string;
  home: string;
  configDir: string;
  real: (path: string) => Promise<string>;
  exists: (path: string) => boolean;
};

export type CaseResult = Pick<Decision, "decision" | "reason"> & { rule: string | null; file: string | null };

/** A working directory that does not exist counts as one without links. The error says what is wrong with the case. */
export async function decideCase(value: unknown, world: CaseWorld): Promise<CaseResult | { error: string }> {
  const parsed = oneCase.safeParse(value);
  if (!parsed.success) return { error: `Cannot read the case: ${parsed.error.issues.map(placedWords).join("; ")}` };
  const { trusted = false, toolignore, call, agent } = parsed.data;
  const cwd = resolve(world.cwd, parsed.data.cwd ?? ".");
  const real = world.exists(cwd) ? world.real : async (path: string) => path;
  const scoped = scopedSettings(parsed.data.settings ?? {}, { cwd, home: world.home });
  if (!Array.isArray(scoped)) return scoped;
  const { rules, directories, mode, sandbox } = mergeSettings(scoped, { trusted, home: world.home });
  const made = await makePolicy(
    {
      cwd,
      home: world.home,
      configDir: world.configDir,
      ...rules,
      trusted,
      sandbox: sandboxOf(parsed.data.sandbox, sandbox),
      autoAllow: sandbox.autoAllow !== false,
      directories: directories.map(({ path }) => path),
      ...(mode && { mode }),
      ...(toolignore !== undefined && {
        toolignore: {
          text: toolignore,
          folder: cwd,
        },
      }),
      ...(agent?.tools && { tools: agent.tools }),
    },
    real,
  );
  if (!made.ok) return { error: made.reason };
  const policy = world.exists(cwd) ? { ...made.policy, isThere: world.exists } : made.policy;
  return caseResult(decide(await locate({ input: {}, ...call }, policy, real), policy));
}

/** `unavailable` is the older name for `missing`. */
function sandboxOf(given: z.infer<typeof oneCase>["sandbox"], { enabled, required }: NonNullable<Settings["sandbox"]>): SandboxState {
  if (enabled === false) return { kind: "off" };
  if (given === "active") return { kind: given };
  const state: SandboxState = { kind: given === "unavailable" ? "missing" : given, why: "the case says so" };
  return required ? { ...state, kind: "refused" } : state;
}

export function caseResult({
  decision,
  rule = null,
  file = null,
  reason,
}: Omit<Decision, "rule" | "file"> & { rule?: string | null; file?: string | null }): CaseResult {
  return { decision, rule, file, reason };
}

const files = { user: "~/.tool/settings.json", project: ".tool/settings.json", local: ".tool/settings.local.json" } as const;
type CaseScope = keyof typeof files;

/** Unscoped settings count as a file given on the command line: the user's own, with the working directory as their folder. */
function scopedSettings(settings: unknown, places: { cwd: string; home: string }): ScopedSettings[] | { error: string } {
  const keys = typeof settings === "object" && settings !== null ? Object.keys(settings) : [];
  const byScope = keys.length > 0 && keys.every((key) => Object.hasOwn(files, key));
  const given = byScope ? Object.entries(settings as Record<CaseScope, unknown>) : [["user", settings] as const];
  const scoped: ScopedSettings[] = [];
  for (const [scope, value] of given as [CaseScope, unknown][]) {
    const file = byScope ? files[scope] : "settings";
    const read = readSettings(value);
    if (!read.ok) return { error: `Cannot use the settings${byScope ? ` ${file}` : ""}: ${read.faults[0]!.reason}` };
    scoped.push({
      scope,
      file,
      folder: byScope && scope === "user" ? places.home : places.cwd,
      settings: read.settings satisfies Settings,
    });
  }
  return scoped;
}

/** `Tool(input)` or `Tool`, as typed on a command line. Undefined if it is neither. */
export function callOf(text: string): Call | undefined {
  const [, tool, inner = ""] = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? [];
  if (tool === undefined) return undefined;
  if (tool === "Network") {
    if (inner === "") return undefined;
    const [, host = inner, port = "443"] = /^(.*?):(\d+)$/.exec(inner) ?? [];
    return { tool, input: { host, port: Number(port) } };
  }
  const field = { Bash: "command", WebFetch: "url", Agent: "agent" }[tool] ?? "path";
  return { tool, input: inner === "" ? {} : { [field]: inner } };
}
