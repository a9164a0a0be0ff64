// A script of the scripted model: read from YAML and validated as a whole before anything plays. fixtures/README.md describes the format.

import { z } from "zod";
import { errorText } from "../../../wording/error-text.ts";
import { issueWords } from "../../../wording/issue-words.ts";
import { openSource, type Path, type Problem, type Source } from "./source.ts";

export type Script = {
  file: string;
  agents: string[];
  pace: { firstMs: number; charactersPerSecond: number } | undefined;
  scenes: Scene[];
};

export type Scene = {
  name: string;
  line: number;
  agents: string[];
  when: RegExp;
  /** Abandons the running scene instead of waiting for its end. */
  interrupts: boolean;
  /** Begins only if no other scene runs or is queued. */
  idleOnly: boolean;
  replies: Reply[];
};

/** The first matching option is played. A reply without a choice has one option, which always matches. */
type Reply = { line: number; options: Option[] };

export type Option = {
  line: number;
  /** Matched against the newest tool results. */
  when: RegExp | undefined;
  say: string;
  calls: Call[];
  /** Its text contains the positions of all scenes. */
  saysPlace: boolean;
  fault: Fault | undefined;
  pauseMs: number;
};

export type Call = { line: number; tool: string; input: Record<string, unknown> };

/** Played instead of the reply on these attempts (0, 1, 2 …) of the request. */
export type Fault = { attempts: number[] } & (
  | { kind: "status"; status: number; retryAfter: string | undefined }
  | { kind: "cut"; afterBytes: number }
);

/** Throws ScriptError with one line for every mistake. `file` is only a name for messages. */
export function parseScript(file: string, text: string): Script {
  const source = openSource(file, text);
  const parsed = scriptSchema.safeParse(source.value);
  if (!parsed.success) throw source.error(parsed.error.issues.flatMap((issue) => problemsOf(issue, source.value)));
  const problems: Problem[] = [];
  const script = compile(parsed.data, { file, lineOf: source.lineOf, report: (path, message) => problems.push({ path, message }) });
  if (problems.length > 0) throw source.error(problems);
  return script;
}

/** The values of `{{name}}` that every scene has. */
export const ownPlaceholders = ["agent", "place"];

/** `{{name}}`; a preceding backslash makes it plain text. */
export const placeholder = /\\?\{\{([A-Za-z_]\w*)\}\}/g;

function problemsOf(issue: z.core.$ZodIssue, whole: unknown): Problem[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => ({ path: [...issue.path, key], message: "unknown key" }));
  const value = issue.path.reduce((at, key) => (at as Record<PropertyKey, unknown>)[key], whole);
  return [
    { path: issue.path, message: value === undefined ? "missing" : `${issue.path.length === 0 ? "a script " : ""}${issueWords(issue)}` },
  ];
}

const count = z.number().int().nonnegative();
const callSchema = z
  .record(z.string(), z.record(z.string(), z.unknown()).nullable())
  .refine((call) => Object.keys(call).length === 1, { error: "a call is one tool with its input: `- Read: { path: a.js }`" });
const faultSchema = z
  .strictObject({
    status: z.number().int().min(400).max(599).optional(),
    retry_after: z.union([z.number(), z.string()]).optional(),
    cut_after_bytes: count.optional(),
    attempts: z.array(count).min(1).default([0]),
  })
  .refine(({ status, cut_after_bytes }) => (status === undefined) !== (cut_after_bytes === undefined), {
    error: "a fault has either `status` or `cut_after_bytes`",
  });
const spoken = {
  say: z.string().optional(),
  calls: z.array(callSchema).min(1).optional(),
  fault: faultSchema.optional(),
  pause_ms: count.optional(),
};
const says = ({ say, calls }: { say?: unknown; calls?: unknown }) => say !== undefined || calls !== undefined;
const optionSchema = z
  .strictObject({ when: z.string().optional(), flags: z.string().optional(), ...spoken })
  .refine(says, { error: "an option has `say`, `calls` or both" });
const replySchema = z
  .strictObject({ choose: z.array(optionSchema).min(1).optional(), ...spoken })
  .refine((reply) => (reply.choose ? Object.values(reply).filter((value) => value !== undefined).length === 1 : says(reply)), {
    error: "a reply has `say`, `calls` or both, or else `choose` alone",
  });
const sceneSchema = z.strictObject({
  name: z.string().regex(/^[\w-]+$/, { error: "a name has letters, digits, _ and - only" }),
  agent: z.union([z.string(), z.array(z.string()).min(1)], { error: "a name, a list of names, or any" }),
  when: z.string(),
  flags: z.string().optional(),
  interrupts: z.boolean().optional(),
  idle_only: z.boolean().optional(),
  replies: z.array(replySchema).min(1),
});
const scriptSchema = z.strictObject({
  version: z.literal(1),
  agents: z.array(z.string()).min(1),
  pace: z.strictObject({ first_ms: count, characters_per_second: z.number().positive() }).optional(),
  scenes: z.array(sceneSchema).min(1),
});

type Spoken = z.infer<typeof optionSchema>;
type Compiling = { file: string; lineOf: Source["lineOf"]; report: (path: Path, message: string) => void };

function compile({ agents, pace, scenes }: z.infer<typeof scriptSchema>, to: Compiling): Script {
  for (const [index, { name }] of scenes.entries()) {
    const first = scenes.findIndex((scene) => scene.name === name);
    if (first < index) to.report(["scenes", index, "name"], `"${name}" is the name of scenes[${first}] already`);
  }
  return {
    file: to.file,
    agents,
    pace: pace && { firstMs: pace.first_ms, charactersPerSecond: pace.characters_per_second },
    scenes: scenes.map((scene, index) => compileScene(scene, { ...to, path: ["scenes", index], agents })),
  };
}

function compileScene(scene: z.infer<typeof sceneSchema>, to: Compiling & { path: Path; agents: string[] }): Scene {
  const named = [scene.agent].flat();
  const unknown = named.filter((name) => name !== "any" && !to.agents.includes(name));
  for (const name of unknown) to.report([...to.path, "agent"], `"${name}" is not among the script's agents: ${to.agents.join(", ")}`);
  const captures = new Set([...ownPlaceholders, ...groupsOf(scene.when)]);
  for (const name of groupsOf(scene.when).filter((group) => ownPlaceholders.includes(group))) {
    to.report([...to.path, "when"], `a capture cannot be called "${name}", which has a meaning of its own`);
  }
  return {
    name: scene.name,
    line: to.lineOf(to.path),
    agents: named.includes("any") ? to.agents : named,
    when: pattern(scene, to) ?? /$^/,
    interrupts: scene.interrupts ?? false,
    idleOnly: scene.idle_only ?? false,
    replies: scene.replies.map((reply, index) => compileReply(reply, { ...to, path: [...to.path, "replies", index], captures })),
  };
}

function compileReply({ choose, ...only }: z.infer<typeof replySchema>, to: Compiling & { path: Path; captures: Set<string> }): Reply {
  const line = to.lineOf(to.path);
  if (!choose) return { line, options: [compileOption(only, to)] };
  const always = choose.findIndex(({ when }) => when === undefined);
  if (always >= 0 && always < choose.length - 1)
    to.report([...to.path, "choose", always + 1], "never reached: the option before it always fits");
  const before = new Set(to.captures);
  const options = choose.map((option, index) => {
    const captures = new Set([...before, ...groupsOf(option.when)]);
    for (const name of captures) to.captures.add(name);
    return compileOption(option, { ...to, path: [...to.path, "choose", index], captures });
  });
  return { line, options };
}

function compileOption(option: Spoken, to: Compiling & { path: Path; captures: Set<string> }): Option {
  for (const name of placeholdersIn([option.say, option.calls])) {
    if (!to.captures.has(name))
      to.report(to.path, `{{${name}}} is captured nowhere before this; it may stand for ${[...to.captures].join(", ")}`);
  }
  return {
    line: to.lineOf(to.path),
    when: pattern(option, to),
    say: option.say?.trimEnd() ?? "",
    calls: (option.calls ?? []).map((call, index) => compileCall(call, to.lineOf([...to.path, "calls", index]))),
    saysPlace: placeholdersIn(option.say).includes("place"),
    fault: option.fault && compileFault(option.fault),
    pauseMs: option.pause_ms ?? 0,
  };
}

function compileCall(call: z.infer<typeof callSchema>, line: number): Call {
  const [tool = "", input] = Object.entries(call)[0] ?? [];
  return { line, tool, input: input ?? {} };
}

function compileFault({ status, retry_after, cut_after_bytes, attempts }: z.infer<typeof faultSchema>): Fault {
  if (status === undefined) return { kind: "cut", afterBytes: cut_after_bytes ?? 0, attempts };
  return { kind: "status", status, retryAfter: retry_after === undefined ? undefined : String(retry_after), attempts };
}

function pattern({ when, flags = "" }: { when?: string; flags?: string }, to: Compiling & { path: Path }): RegExp | undefined {
  if (when === undefined) {
    if (flags) to.report([...to.path, "flags"], "flags belong to a `when`");
    return undefined;
  }
  if (!/^[imsu]*$/.test(flags)) {
    to.report([...to.path, "flags"], "flags are some of i, m, s and u");
    return undefined;
  }
  try {
    return new RegExp(when, flags);
  } catch (error) {
    to.report([...to.path, "when"], errorText(error));
    return undefined;
  }
}

function groupsOf(source = ""): string[] {
  return [...source.matchAll(/\(\?<([A-Za-z_]\w*)>/g)].flatMap((match) => match[1] ?? []);
}

function placeholdersIn(value: unknown): string[] {
  if (typeof value === "string") {
    return [...value.matchAll(placeholder)].flatMap(([whole, name]) => (whole.startsWith("\\") ? [] : (name ?? [])));
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(placeholdersIn) : [];
}
