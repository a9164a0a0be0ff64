// Texts that people keep for other agents: which file here they belong to, and what in them has another meaning here.
import { isRecord } from "../../wording/is-record.ts";
import { parsedFile } from "./parsed-file.ts";

/** `changed`, `leftOut`: sentences. */
export type ReadText = { kind: "text"; text: string; changed: string[] } | { kind: "left out"; why: string };

/** `instructions` of several sources are parts of one file; a `command` has a file of its own, and so has the definition of an `agent`. */
export type TextSource = {
  scope: "user" | "project";
  kind: "instructions" | "command" | "agent";
  /** Below the home, or below the project. */
  path: string;
  /** `path` is a folder, of which the files that end so count, in folders below it too. */
  ending?: string;
  read(text: string): ReadText;
};

/** Files of the same form: what is written stays, but for what other programs fill in. */
const instructions = (text: string): ReadText => {
  const named = /^@\S+/m.exec(text)?.[0];
  const why = `${named} is a line like any other: the agent reads the file if the work asks for it.`;
  return { kind: "text", text: body(text), changed: named === undefined ? [] : [why] };
};

const asItIs = (text: string): ReadText => ({ kind: "text", text, changed: [] });

/** A rule for some files stands among the instructions for all. */
function rule(text: string): ReadText {
  const [, keys = "", rest = text] = /^\uFEFF?---[^\S\n]*\r?\n([\s\S]*?)\r?\n---[^\S\n]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  const keyOf = (name: string) =>
    new RegExp(`^${name}:[^\\S\\n]*(.*)$`, "m")
      .exec(keys)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, "$2") ?? "";
  const isForAll = keyOf("alwaysApply") === "true";
  const globs = keyOf("globs") || keyOf("applyTo");
  const described = keyOf("description");
  const when =
    globs !== "" && globs !== "**" ? `For files that match ${globs}:` : described !== "" ? `When it is about this: ${described}` : "";
  if (isForAll || when === "") return { kind: "text", text: body(rest), changed: [] };
  return {
    kind: "text",
    text: `${when}\n\n${body(rest)}`,
    changed: [`It is read in every session, and begins with ${JSON.stringify(when)}.`],
  };
}

const body = (text: string) =>
  text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .trim();

/** Named placeholders are filled in by the other program alone. */
function prompt(text: string): ReadText {
  const named = [...text.matchAll(/(?<![\\$\w])\$(?!ARGUMENTS\b)[A-Z][A-Z0-9_]*\b/g)].map(([name]) => name);
  const why = `${[...new Set(named)].join(", ")} is not filled in: here there are $ARGUMENTS and $1 to $9.`;
  return { kind: "text", text, changed: named.length === 0 ? [] : [why] };
}

/** A command of Gemini CLI stands in TOML. */
function tomlCommand(text: string): ReadText {
  const parsed = parsedFile("command.toml", text);
  if (!parsed.ok) return { kind: "left out", why: parsed.reason };
  const { prompt: said, description } = isRecord(parsed.value) ? parsed.value : {};
  if (typeof said !== "string") return { kind: "left out", why: 'It has no "prompt".' };
  const filled = said
    .replaceAll(/\$(?=ARGUMENTS\b|\d)/g, "\\$")
    .replaceAll(/\{\{\s*args\s*\}\}/g, "$$ARGUMENTS")
    .replaceAll(/!\{([^`{}]+)\}/g, "!`$1`");
  const head = typeof description === "string" ? `---\ndescription: ${JSON.stringify(description)}\n---\n` : "";
  const changed = /@\{[^}]+\}/.test(said) ? ["@{file} is not filled in: the agent reads the file itself."] : [];
  return { kind: "text", text: `${head}${filled.trim()}\n`, changed };
}

const own = (kind: TextSource["kind"], path: string, read: TextSource["read"], ending?: string): TextSource => ({
  scope: "user",
  kind,
  path,
  read,
  ...(ending !== undefined && { ending }),
});
const projects = (...given: Parameters<typeof own>): TextSource => ({ ...own(...given), scope: "project" });

export const textSources: readonly TextSource[] = [
  own("instructions", ".claude/CLAUDE.md", instructions),
  own("instructions", ".codex/AGENTS.md", instructions),
  own("instructions", ".gemini/GEMINI.md", instructions),
  own("instructions", ".config/opencode/AGENTS.md", instructions),
  own("command", ".claude/commands", asItIs, ".md"),
  own("agent", ".claude/agents", asItIs, ".md"),
  own("command", ".codex/prompts", prompt, ".md"),
  own("command", ".gemini/commands", tomlCommand, ".toml"),
  projects("instructions", "GEMINI.md", instructions),
  projects("instructions", ".github/copilot-instructions.md", instructions),
  projects("instructions", ".github/instructions", rule, ".instructions.md"),
  projects("instructions", ".cursorrules", instructions),
  projects("instructions", ".cursor/rules", rule, ".mdc"),
  projects("instructions", ".windsurfrules", instructions),
  projects("instructions", ".windsurf/rules", rule, ".md"),
  projects("command", ".gemini/commands", tomlCommand, ".toml"),
];
