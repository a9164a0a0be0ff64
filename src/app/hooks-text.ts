// The table of `tool hooks list` and /hooks.
import type { ConfiguredHook } from "../hooks/configured.ts";
import { events } from "../hooks/events.ts";
import type { Style } from "../screen/style.ts";
import { aligned, cell } from "../screen/table.ts";
import { visibleLine } from "../screen/visible-text.ts";

export function hooksText(hooks: ConfiguredHook[], { style, command: tool }: { style: Style; command: string }): string {
  if (hooks.length === 0)
    return `There are no hooks here. They run at ${Object.keys(events).join(", ")}. How to write one: ${tool} hooks --help`;
  const rows = hooks.map(({ event, matcher, command, file, held }) => [
    cell(event, style.bold),
    cell(matcher?.join("|") ?? "*"),
    cell(held ? "held back" : "runs"),
    cell(visibleLine(command)),
    cell(visibleLine(file ?? ""), style.dim),
  ]);
  const held = hooks.filter((hook) => hook.held).length;
  return [
    ...aligned(rows),
    ...hooks.flatMap(({ event, warning }) => (warning === undefined ? [] : [visibleLine(`${event}: ${warning}`)])),
    ...(held > 0
      ? [`${held} of this project ${held === 1 ? "is" : "are"} held back until you trust it: --trust, or answer in a session.`]
      : []),
  ].join("\n");
}
