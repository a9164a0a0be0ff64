// The table of `tool hooks list` and /hooks.
import { type ConfiguredHook, type ConfiguredHooks, whyItCannotRun, whyLeftOut } from "../../hooks/configured.ts";
import { events } from "../../hooks/events.ts";
import type { Style } from "../../screen/style.ts";
import { aligned, cell } from "../../screen/table.ts";
import { visibleLine } from "../../screen/visible-text.ts";

export function hooksText(
  { hooks, leftOut }: ConfiguredHooks,
  { style, command: tool, trust }: { style: Style; command: string; trust: string },
): string {
  if (hooks.length + leftOut.length === 0)
    return `There are no hooks here. They run at ${Object.keys(events).join(", ")}. How to write one: ${tool} hooks --help`;
  const rows = hooks.map(({ event, matcher, only, command, file, ...hook }) => [
    cell(event, style.bold),
    cell(visibleLine(only === undefined ? (matcher ?? "*") : `${matcher ?? "*"} if ${only}`)),
    stateCell(hook, style),
    cell(visibleLine(command)),
    cell(visibleLine(file ?? ""), style.dim),
  ]);
  const left = leftOut.map(({ event, matcher, what, file }) => [
    cell(visibleLine(event), style.bold),
    cell(visibleLine(matcher ?? "*")),
    cell("left out"),
    cell(visibleLine(what)),
    cell(visibleLine(file ?? ""), style.dim),
  ]);
  const held = hooks.filter((hook) => hook.held).length;
  return [
    ...aligned([...rows, ...left]),
    ...hooks.flatMap(({ event, fault }) => (fault ? [visibleLine(`${event}: ${whyItCannotRun(fault, event)}`)] : [])),
    ...hooks.flatMap(({ event, warning }) => (warning === undefined ? [] : [visibleLine(`${event}: ${warning}`)])),
    ...leftOut.map((left) => visibleLine(`${left.event}: ${whyLeftOut(left)}`)),
    ...(held > 0 ? [`${held} of this project ${held === 1 ? "is" : "are"} held back until you trust it: ${trust}.`] : []),
  ].join("\n");
}

function stateCell({ held, fault, sandboxed }: Pick<ConfiguredHook, "held" | "fault" | "sandboxed">, style: Style) {
  if (held) return cell("held back");
  return fault ? cell("cannot run", (text) => style.state("failed", text)) : cell(sandboxed ? "in the sandbox" : "runs");
}
