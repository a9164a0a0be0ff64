// Tells an agent that its background commands have ended. Each end is told once: between two tool calls, or in the next turn.
import type { Input } from "../agent/events.ts";
import type { Reports } from "../agent/session/session.ts";
import { type CommandRecord, stateText } from "./command.ts";

/** A command that ended by itself starts a turn; the end of a stopped one is told in the next turn. */
export function commandEnds(commands: () => readonly CommandRecord[], put: (record: CommandRecord) => void): Reports {
  /** Ids of ends that are in a request but not yet known to be on disk. */
  const under = new Set<string>();
  const waiting = () => commands().filter(({ id, state, told }) => state !== "running" && !told && !under.has(id));
  return {
    waits: () => waiting().some(({ state }) => state !== "stopped"),
    take: () =>
      waiting().map((record): Input => {
        under.add(record.id);
        const shown = `background command ${record.id}, ${stateText(record)}: ${record.command}`;
        return { source: { kind: "background", command: record.id }, text: endText(record), shown };
      }),
    recorded(inputs) {
      for (const { source } of inputs) {
        if (source.kind !== "background" || !under.delete(source.command)) continue;
        const record = commands().find(({ id }) => id === source.command);
        if (record) put({ ...record, told: true });
      }
    },
  };
}

function endText(record: CommandRecord): string {
  const { id, command, state, output } = record;
  const where = output === undefined ? "" : `, and all of it is in ${output}`;
  return `<background_command id="${id}" state="${state}">\n${command}\nIt has ended: ${stateText(record)}. BashOutput shows what it printed since you looked${where}.\n</background_command>`;
}
