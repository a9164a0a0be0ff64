// Permission rules as people write them, and what each of them covers.
import type { LocatedCall } from "./call.ts";
import { mentions, plainWords } from "./shell-words.ts";

/**
 * `any`: every plain use of the tool. `exact`: this command, or the file with this absolute path, and nothing else.
 * `words`: a command of these words alone, or followed by further ones.
 */
export type Rule = { tool: string } & ({ kind: "any" } | { kind: "exact"; text: string } | { kind: "words"; words: string[] });

export type ParsedRule = { ok: true; rule: Rule } | { ok: false; reason: string };

/**
 * `Tool`, `Tool(*)`, `Bash(text)`, `Bash(text:*)`, `Bash(text *)`, `Read(//absolute/path)`. What cannot be understood is an error and
 * never a rule that covers nothing: a deny that is silently void would be worse than none.
 */
export function parseRule(text: string): ParsedRule {
  const [, tool = "", inner] = /^\s*(\w+)\s*(?:\((.*)\))?\s*$/s.exec(text) ?? [];
  const no = (reason: string): ParsedRule => ({ ok: false, reason: `Cannot use the permission rule "${text}": ${reason}` });
  if (!tools.includes(tool))
    return no(`${tool ? `no tool is called "${tool}"` : "it has not the form Tool or Tool(…)"}. Tools: ${tools.join(", ")}`);
  if (inner === undefined || inner.trim() === "*") return { ok: true, rule: { tool, kind: "any" } };
  if (inner.trim() === "") return no(`there is nothing between the brackets. Write ${tool} for every use`);
  if (tool === "Bash")
    return bashRule(inner.trim()) ?? no("a * may stand only at the end, after a blank or a colon, and after plain words");
  if (!pathTools.includes(tool)) return no(`${tool} takes no brackets`);
  if (!inner.startsWith("//") || /[*?[\]!\\]/.test(inner)) return no(`write one file as ${tool}(//absolute/path), without wildcards`);
  return { ok: true, rule: { tool, kind: "exact", text: inner.slice(1) } };
}

const pathTools = ["Read", "Write", "Edit", "Glob", "Grep"];
const boardTools = ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "SendMessage", "SpawnTeammate", "StopTeammate"];
const tools = [...pathTools, "Bash", ...boardTools];

function bashRule(text: string): ParsedRule | undefined {
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(text)?.[1];
  if (prefix === undefined)
    return text.includes("*") && text.endsWith("*") ? undefined : { ok: true, rule: { tool: "Bash", kind: "exact", text } };
  const words = plainWords(prefix);
  return words && { ok: true, rule: { tool: "Bash", kind: "words", words } };
}

/** The rule as a person would write it. */
export function showRule(rule: Rule): string {
  switch (rule.kind) {
    case "any":
      return rule.tool;
    case "exact":
      return rule.tool === "Bash" ? `Bash(${rule.text})` : `${rule.tool}(/${rule.text})`;
    case "words":
      return `${rule.tool}(${rule.words.join(" ")}:*)`;
  }
}

/** Whether the rule lets this call happen. In doubt it does not. */
export function allows(rule: Rule, { tool, subject }: LocatedCall): boolean {
  if (rule.tool !== tool) return false;
  switch (rule.kind) {
    case "any":
      return true;
    case "exact":
      if (subject.kind === "path") return subject.real === rule.text;
      return subject.kind === "command" && subject.command.trim() === rule.text;
    case "words": {
      const words = subject.kind === "command" ? plainWords(subject.command) : undefined;
      return words !== undefined && rule.words.every((word, index) => words[index] === word);
    }
  }
}

/** Whether the rule stands against this call. In doubt it does: words count wherever they are, and a tool's relatives are meant too. */
export function forbids(rule: Rule, { tool, subject }: LocatedCall): boolean {
  if (rule.tool !== tool && !relatives[rule.tool]?.includes(tool)) return false;
  switch (rule.kind) {
    case "any":
      return true;
    case "exact":
      if (subject.kind === "path") return subject.real === rule.text || subject.written === rule.text;
      return subject.kind === "command" && subject.command.includes(rule.text);
    case "words":
      return subject.kind === "command" && mentions(subject.command, rule.words);
  }
}

/** Who may not read may not search either, and who may not edit may not write. */
const relatives: Record<string, string[]> = { Read: ["Grep", "Glob"], Edit: ["Write"], Write: ["Edit"] };
