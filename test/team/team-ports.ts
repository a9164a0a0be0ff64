// The ports of commands that inspect a team from outside: real files and processes, and no display.
import { dirname } from "node:path";
import { clock } from "../../src/edge/clock.ts";
import { memberProcesses } from "../../src/edge/processes/member-processes.ts";
import type { TeamPorts } from "../../src/team/leftovers.ts";
import { ports, type TemporaryTeam } from "../board/temporary-team.ts";

const unused = () => Promise.reject(new Error("No place of this team is recorded."));

export function teamPorts({ board, folder }: TemporaryTeam): TeamPorts {
  const read = board.record();
  if (!read.ok) throw new Error(read.reason);
  return {
    disk: ports.disk,
    clock,
    board,
    record: read.record,
    configDir: dirname(dirname(folder)),
    processes: memberProcesses(),
    displayFor: unused,
    privateServers: { look: unused, end: unused },
  };
}
