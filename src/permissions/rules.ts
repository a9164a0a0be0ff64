// Permission rules as people write them, and what each of them covers.

import { relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type BashPattern, parseBashPattern } from "../shell/judge/bash-pattern.ts";
import { ourAgent } from "../wording/agent-names.ts";
import { nearestName } from "../wording/nearest-name.ts";
import type { Access, At, LocatedCall, Subject } from "./call.ts";
import { type Meets, meets } from "./paths/glob-meets.ts";
import { broadly, type Covers, escapePattern, exactly, type PathPattern, parsePathPattern, type RulePlaces } from "./paths/path-rules.ts";
import { within } from "./paths/places.ts";

/**
 * `any`: every plain use of the tool, or of all tools of a server. `file`: only the file with this absolute path. `path`: files that a
 * pattern matches. `domain`: a host, or with `below` its subdomains; a deny or ask rule covers both. `name`: agents or skills of that name.
 * `command`: for Bash.
 */
export type Rule = { tool: string } & (
  | { kind: "any" }
  | { kind: "file"; path: string }
  | { kind: "path"; pattern: PathPattern; exactly: Covers; broadly: Covers[]; meets: Meets }
  | { kind: "domain"; host: string; below: boolean }
  | { kind: "name"; name: string }
  | { kind: "command"; pattern: Exclude<BashPattern, { kind: "any" }>; text: string }
);

export type ParsedRule = { ok: true; rule: Rule } | { ok: false; reason: string };

const nowhere: RulePlaces = { cwd: "/", home: "/", folder: "/" };

/** What cannot be parsed is an error: a deny rule that never applies is worse than none. `places`: where path patterns may begin. */
export function parseRule(text: string, places: RulePlaces = nowhere): ParsedRule {
  const [, tool = "", inner] = /^([\w-]+(?:\*)?)\s*(?:\((.*)\))?$/s.exec(text.trim()) ?? []; // a regular expression for spaces at both ends would take quadratic time
  const no = (reason: string): ParsedRule => ({ ok: false, reason: `Cannot use the permission rule "${text}": ${reason}` });
  if (text.includes("\uFFFD")) return no("a character of it could not be read, as in a file that is not UTF-8");
  if (tool.startsWith("mcp__"))
    return inner === undefined || inner.trim() === "*" ? serverRule(tool, no) : no(`${tool} takes no parentheses`);
  if (!toolNames.includes(tool)) return no(noSuchTool(text, tool));
  if (inner === undefined || inner.trim() === "*") return { ok: true, rule: { tool, kind: "any" } };
  if (inner.trim() === "") return no(`the parentheses are empty. Write ${tool} for every use`);
  const parsed = inBrackets(tool, inner, places);
  return parsed.ok ? parsed : no(parsed.reason);
}

/** Why no rule can be about that tool; undefined if it exists, or a server may have it. */
export function unknownTool(tool: string): string | undefined {
  return tool.startsWith("mcp__") || toolNames.includes(tool) ? undefined : noSuchTool(tool, tool);
}

function noSuchTool(text: string, tool: string): string {
  const all = `Tools: ${toolNames.join(", ")}, mcp__server__tool`;
  if (tool === "") return /^\s*\w+\(/.test(text) ? 'it does not end in ")"' : `it does not have the form Tool or Tool(…). ${all}`;
  const near = nearestName(tool, toolNames);
  return `no tool is called "${tool}". ${near ? `Did you mean ${near}?` : all}`;
}

/** `file`: always about a file. `otherwise`: what a call without a path is about. */
export type PathTool = { access: Access; file?: true; otherwise?: string };

export const pathTools: Readonly<Record<string, PathTool>> = {
  Read: { access: "read", file: true },
  Write: { access: "write", file: true },
  Edit: { access: "write", file: true },
  Glob: { access: "read", otherwise: "." },
  Grep: { access: "read", otherwise: "." },
};

const pathToolNames: readonly string[] = Object.keys(pathTools);

/** Whether a rule about one tool is about the other too: Read covers every way to read, and Edit every way to write. */
function coversTool(ruled: string, tool: string): boolean {
  const access = ruled === "Read" ? "read" : ruled === "Edit" ? "write" : undefined;
  return ruled === tool || (access !== undefined && pathTools[tool]?.access === access);
}

const boardTools = ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList", "SendMessage", "SpawnTeammate", "StopTeammate"];
const agentTools = ["Agent", "StartWorker", "CheckAgent", "RecordFailure", "TodoWrite", "AskUser"];
const commandTools = ["Bash", "BashOutput", "KillBash"];
const outerTools = ["WebFetch", "McpSearch", "McpCall", "Network"];
export const toolNames = [...pathToolNames, ...commandTools, ...outerTools, ...agentTools, "Skill", ...boardTools];

function inBrackets(tool: string, inner: string, places: RulePlaces): ParsedRule {
  if (tool === "Bash") return commandRule(inner);
  if (tool === "WebFetch") return domainRule(tool, inner.trim().replace(/^domain:\s*/i, ""), /^domain:/i.test(inner.trim()));
  if (tool === "Network") return domainRule(tool, inner.trim(), true);
  if (tool === "Agent" || tool === "Skill") return nameRule(tool, inner.trim());
  if (!pathToolNames.includes(tool)) return { ok: false, reason: `${tool} takes no parentheses` };
  const parsed = parsePathPattern(inner, places);
  return parsed.ok ? { ok: true, rule: pathRule(tool, parsed.path) } : parsed;
}

function commandRule(inner: string): ParsedRule {
  const parsed = parseBashPattern(inner);
  if (!parsed.ok) return parsed;
  const { pattern } = parsed;
  const rule: Rule =
    pattern.kind === "any" ? { tool: "Bash", kind: "any" } : { tool: "Bash", kind: "command", pattern, text: inner.trim() };
  return { ok: true, rule };
}

function pathRule(tool: string, pattern: PathPattern): Rule {
  return { tool, kind: "path", pattern, exactly: exactly(pattern), broadly: [broadly(pattern)], meets: meets(pattern) };
}

/** `isMarked`: what marks a host in the rules of that tool is there. */
function domainRule(tool: string, inner: string, isMarked: boolean): ParsedRule {
  const [, star, host] = /^(\*\.)?([\p{L}\p{N}_.-]+|\[[0-9a-f:.]+\])\.?$/iu.exec(inner) ?? [];
  const labels = host && isMarked && asciiHost(host);
  if (labels) return { ok: true, rule: { tool, kind: "domain", host: labels, below: star !== undefined } };
  const [one, below] = ["example.com", "*.example.com"].map((name) => `${tool}(${hostMarks[tool]}${name})`);
  return { ok: false, reason: `write ${one} for that host, or ${below} for those below it` };
}

const hostMarks: Record<string, string> = { WebFetch: "domain:", Network: "" };

/** As a browser would write it: lower case, with non-ASCII letters encoded. */
function asciiHost(host: string): string | undefined {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname.replace(/\.$/, "") : undefined;
}

function nameRule(tool: string, inner: string): ParsedRule {
  if (/^[\w.:-]+$/.test(inner)) return { ok: true, rule: { tool, kind: "name", name: inner } };
  return { ok: false, reason: `write ${tool}(name) with the name of one ${tool.toLowerCase()}` };
}

/** `mcp__server` and `mcp__server__*` are all tools of a server. */
function serverRule(tool: string, no: (reason: string) => ParsedRule): ParsedRule {
  const name = tool.replace(/__\*$/, "");
  if (/^mcp__[\w-]*[^_\W][\w-]*$/.test(name)) return { ok: true, rule: { tool: name, kind: "any" } };
  return no("write mcp__server for all tools of a server, or mcp__server__tool for one of them");
}

/** The rule as a person would write it. */
export function showRule(rule: Rule): string {
  switch (rule.kind) {
    case "any":
      return rule.tool;
    case "file":
      return `${rule.tool}(/${escapePattern(rule.path)})`;
    case "path":
      return `${rule.tool}(${rule.pattern.written})`;
    case "domain":
      return `${rule.tool}(${hostMarks[rule.tool] ?? ""}${rule.below ? "*." : ""}${rule.host})`;
    case "name":
      return `${rule.tool}(${rule.name})`;
    case "command":
      return `Bash(${rule.text})`;
  }
}

/** Whether the displayed text parses to a rule that covers the same. */
export function saysWhatItMeans(rule: Rule): boolean {
  const back = parseRule(showRule(rule));
  if (!back.ok) return false;
  if (rule.kind === "file") return back.rule.tool === rule.tool && back.rule.kind === "path" && back.rule.exactly(rule.path, false);
  if (rule.kind === "path") return back.rule.tool === rule.tool && back.rule.kind === "path";
  return isDeepStrictEqual(back.rule, rule);
}

/** Whether the rule allows this call; Bash is judged elsewhere. False in doubt. */
export function allows(rule: Rule, { tool, subject }: LocatedCall): boolean {
  if (!meant(rule, tool)) return false;
  switch (rule.kind) {
    case "any":
      return subject.kind !== "unclear";
    case "file":
      return subject.kind === "path" && subject.real === rule.path;
    case "path":
      return subject.kind === "path" && rule.exactly(subject.written, isSearch(tool)) && rule.exactly(subject.real, isSearch(tool));
    case "domain":
      return subject.kind === "host" && (rule.below ? isBelow(subject.host, rule.host) : subject.host === rule.host);
    case "name":
      return subject.kind === "agent" && subject.name === rule.name;
    case "command":
      return false;
  }
}

/** Whether the rule denies or asks for this call; Bash is judged elsewhere. True in doubt, and for related tools too. */
export function forbids(rule: Rule, { tool, subject }: LocatedCall): boolean {
  if (!meant(rule, tool) && !relatives[rule.tool]?.includes(tool)) return false;
  switch (rule.kind) {
    case "any":
      return true;
    case "file":
      return subject.kind === "path" && (subject.real === rule.path || subject.written === rule.path);
    case "path":
      return (
        subject.kind === "path" && (coversBroadly(rule, subject) || (subject.glob !== undefined && rule.meets(subject.glob) === "spelled"))
      );
    case "domain":
      return subject.kind === "host" && (subject.host === rule.host || isBelow(subject.host, rule.host));
    case "name":
      return subject.kind === "agent" && isCalled(subject.name, rule);
    case "command":
      return false;
  }
}

/** In any case, and under the names that other products have for an agent. */
function isCalled(name: string, { tool, name: named }: Extract<Rule, { kind: "name" }>): boolean {
  const forms = (one: string) => [one, ...(tool === "Agent" ? [ourAgent(one)] : [])].map((form) => form.toLowerCase());
  return forms(name).some((form) => forms(named).includes(form));
}

function coversBroadly({ broadly }: Extract<Rule, { kind: "path" }>, { written, real }: At): boolean {
  return broadly.some((covers) => covers(written, true) || covers(real, true));
}

function meant(rule: Rule, tool: string): boolean {
  return coversTool(rule.tool, tool) || (rule.tool.startsWith("mcp__") && tool.startsWith(`${rule.tool}__`));
}

/** An agent that may not write may not edit either. */
const relatives: Record<string, string[]> = { Write: ["Edit"] };

const isSearch = (tool: string) => tool === "Glob" || tool === "Grep";

/** By whole labels: `example.com` is above `a.example.com` and not above `badexample.com`. */
const isBelow = (host: string, above: string): boolean => host.endsWith(`.${above}`);

/** The rule that covers exactly this and nothing else. */
export function exactRule(tool: string, subject: Subject): Rule | undefined {
  if (subject.kind === "path") return { tool, kind: "file", path: subject.real };
  if (subject.kind === "host") return { tool, kind: "domain", host: subject.host, below: false };
  return subject.kind === "agent" ? { tool, kind: "name", name: subject.name } : undefined;
}

type Places = Pick<RulePlaces, "cwd" | "home">;

/** `Edit(src/**)` for `Edit(//repo/src/**)` in `/repo`; the absolute form if no relative one covers exactly the same. */
export function ruleText(rule: Rule, places: Places): string {
  const absolute = showRule(rule);
  const at = patternOf(rule, places);
  if (!at || at.loose || at.rest === undefined || !within(places.cwd, at.start)) return absolute;
  const path = [relative(places.cwd, at.start), at.rest].filter((part) => part !== "").join("/");
  const found = [path, `./${path}`].find((candidate) => sameFiles(patternIn(`${rule.tool}(${candidate})`, places), at));
  return found === undefined ? absolute : `${rule.tool}(${found})`;
}

/** Rewrites a relative rule so that it means the same in another working directory. */
export function lastingText(text: string, cwd: string): string {
  const places = { cwd, home: cwd };
  const at = patternIn(text, places);
  if (!at || at.loose || at.rest === undefined || /^[/~]/.test(at.written)) return text;
  const [, tool] = /^\s*(\w+)/.exec(text) ?? [];
  const lasting = `${tool}(/${[at.start, at.rest].filter((part) => part !== "").join("/")})`;
  return sameFiles(patternIn(lasting, places), at) ? lasting : text;
}

function patternOf(rule: Rule, places: Places): PathPattern | undefined {
  if (rule.kind === "path") return rule.pattern;
  return rule.kind === "file" ? patternIn(showRule(rule), places) : undefined;
}

function patternIn(text: string, { cwd, home }: Places): PathPattern | undefined {
  const parsed = parseRule(text, { cwd, home, folder: cwd });
  return parsed.ok && parsed.rule.kind === "path" ? parsed.rule.pattern : undefined;
}

function sameFiles(one: PathPattern | undefined, other: PathPattern): boolean {
  return one !== undefined && !one.loose && one.start === other.start && one.rest === other.rest;
}
