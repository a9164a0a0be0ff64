// Descriptions of what a lead left behind.
import type { Leftover } from "../../team/leftovers.ts";

/** For example `ada, process 4711`, for a line that says what happened to it. */
export function leftoverText(leftover: Leftover): string {
  switch (leftover.kind) {
    case "teammate":
      return `${leftover.name}, process ${leftover.process.pid}`;
    case "task":
      return `${leftover.task}, in progress with ${leftover.name}, whose process has ended`;
    case "commands":
      return `${leftover.pids.length === 1 ? "process" : "processes"} ${leftover.pids.join(", ")} that ${leftover.name} started`;
    case "pane":
      return `the pane of ${leftover.name}`;
    case "server":
      return `the tmux server ${leftover.server.socket}, process ${leftover.server.serverPid}`;
    case "socket":
      return `the socket ${leftover.path} of a tmux server that has ended`;
    case "launch_file":
      return `the unread launch file of ${leftover.name}`;
  }
}
