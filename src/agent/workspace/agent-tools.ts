// The tools of one agent that works: files, commands, the web, its list, questions to the person.
import { bashOutputTool, killBashTool } from "../../background/bash-output.ts";
import type { AgentCommands } from "../../background/commands.ts";
import type { Disk } from "../../tools/disk.ts";
import type { OutputStore } from "../../tools/output.ts";
import { fileTools } from "../../tools/set.ts";
import type { Shell } from "../../tools/shell.ts";
import { todoWriteTool } from "../../tools/todo-write.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { JudgeUrl } from "../../tools/web/web.ts";
import { webFetchTool } from "../../tools/web/web-fetch.ts";
import { trafficRecord } from "./network/network-desk.ts";
import type { WorkspaceParts } from "./workspace-parts.ts";
import { isOfSolo } from "./workspace-request.ts";

type ToolParts = {
  disk: Disk;
  shell: Shell;
  outputs: OutputStore | undefined;
  background: AgentCommands;
  planTool: AnyTool;
  askTool: AnyTool;
  /** Of MCP servers. */
  serverTools: AnyTool[];
};

/** In an order that never changes, because the head of a request is cached. */
export function agentTools(
  { request, ports, permits }: Pick<WorkspaceParts, "request" | "ports" | "permits">,
  { disk, shell, outputs, background, planTool, askTool, serverTools }: ToolParts,
): AnyTool[] {
  const judge: JudgeUrl = async (url, signal) => {
    const from = ports.monotonicMs();
    const permission = await permits.decide({ tool: "WebFetch", input: { url } }, signal);
    return { ...permission, askedMs: ports.monotonicMs() - from };
  };
  const record = trafficRecord(request, ports, "WebFetch");
  const fetch = webFetchTool(ports.web(), judge, ({ hostname, port, protocol }, carried) =>
    record({ host: hostname, port: Number(port) || (protocol === "https:" ? 443 : 80), ...carried }),
  );
  const nowMs = () => ports.now().getTime();
  return [
    ...fileTools({ disk, shell, outputs, background, fetch, seen: request.seen }),
    ...(isOfSolo(request) ? [todoWriteTool()] : []),
    askTool,
    bashOutputTool({ commands: background, matchingLines: ports.matchingLines, nowMs }),
    killBashTool({ commands: background }),
    // Present from the start, because a change of the mode must not change the head of the requests.
    planTool,
    ...serverTools,
  ];
}
