// The text of `/context`: how full the model's window is, and what fills it.
import type { ContextSource, WindowAccount } from "../../agent/context.ts";
import { tokens } from "../../wording/figures.ts";
import type { Style } from "../style.ts";
import { visibleLine } from "../visible-text.ts";

/** Agents' reports are mentioned above this share of the window. */
const manyReports = 0.1;

const largestHead = "largest: ";

/** For a screen with that many columns. */
export function contextText(
  { tokens: used, windowTokens, counted, sources, largest }: WindowAccount,
  style: Style,
  columns: number,
): string {
  const estimate = counted ? "" : style.dim(", estimated: nothing was sent yet");
  const shares = sources.map(({ source, tokens: share, entries }) => `${source} ${tokens(share)}${entries > 1 ? ` (${entries})` : ""}`);
  const weigh = largest.map(
    ({ source, what, tokens: size, times }) =>
      `${named(source, visibleLine(what))} (${tokens(size)}${times > 1 ? `, ${times} times` : ""})`,
  );
  const reports = (sources.find(({ source }) => source === "agents")?.tokens ?? 0) / windowTokens;
  return [
    `${tokens(used)} of ${tokens(windowTokens)} tokens${estimate}`,
    bar(used / windowTokens, style, Math.min(40, columns - 1)),
    ...filled(shares, "   ", columns),
    ...(reports >= manyReports
      ? [`agents' reports fill ${Math.round(reports * 100)} % of the window: use /compact, or work in phases`]
      : []),
    ...filled(weigh, ", ", columns - largestHead.length).map(
      (line, row) => (row === 0 ? largestHead : " ".repeat(largestHead.length)) + line,
    ),
  ].join("\n");
}

/** What a path, a command or the beginning of a message is. */
function named(source: ContextSource, what: string): string {
  const noun = nouns[source];
  if (noun === undefined) return what;
  return source === "messages" ? `${noun} "${what}"` : `${noun} ${what}`;
}

const nouns: Partial<Record<ContextSource, string>> = { files: "file", searches: "search", commands: "command", messages: "message" };

/** A share above zero always shows, and so does free space. */
function bar(share: number, style: Style, width: number): string {
  const [full, free] = style.rule === "─" ? ["█", "░"] : ["#", "."];
  const used = share <= 0 ? 0 : Math.min(width - (share < 1 ? 1 : 0), Math.max(1, Math.round(share * width)));
  return style.state("working", full.repeat(used)) + style.dim(free.repeat(Math.max(0, width - used)));
}

/** As many parts side by side as fit into each line. */
function filled(parts: string[], between: string, columns: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? undefined : last + between + part;
    if (joined !== undefined && joined.length < columns) lines[lines.length - 1] = joined;
    else lines.push(part.length < columns ? part : `${part.slice(0, Math.max(1, columns - 2))}…`);
  }
  return lines;
}
