// `tool team mcp`: a team's board for programs that speak the Model Context Protocol, over stdin and stdout.
import { Command } from "commander";
import type { RequestLine } from "../../app/request-lines.ts";
import { type Finish, UsageError, type World } from "../../app/world.ts";

type Options = { as?: string; team?: string };

/** The longest message of a member has 32 KB. */
const maxLineBytes = 1024 * 1024;

const example = `
Serves the tools TaskList, TaskGet, TaskUpdate, SendMessage and Inbox, and to the lead TaskCreate.
Another program names it where it keeps its servers; see docs/mixed-teams.md.

Example:
  tool team mcp --as carl --team atlas`;

export function teamMcpCommand(world: World, finish: Finish): Command {
  return new Command("mcp")
    .description("Serve the board to another program as one member, by the Model Context Protocol on stdin and stdout.")
    .option("--as <agent>", "the member to act as (default: TOOL_MEMBER)")
    .option("--team <name>", "which team (default: TOOL_TEAM)")
    .addHelpText("after", example)
    .action((options: Options) => serve(world, finish, options));
}

/** Calls run side by side, and each reply is written when it is there. All are answered before the end. */
async function serve(world: World, finish: Finish, options: Options): Promise<void> {
  const { openBoardServer } = await import("../../app/team/board-server.ts");
  const { unreadable } = await import("../../mcp/serve-tools.ts");
  const { requestLines } = await import("../../app/request-lines.ts");
  const { as = world.env["TOOL_MEMBER"], team = world.env["TOOL_TEAM"] } = options;
  if (!as) throw new UsageError("Whom to act as? Name a member: tool team mcp --as carl");
  const server = await openBoardServer(world, { as, team });
  const running = new Set<Promise<void>>();
  let isRead = true;
  const reply = async (line: RequestLine) => {
    const message = messageIn(line);
    const answer = "why" in message ? unreadable(message.why) : await server.answer(message.value);
    if (!answer || !isRead) return;
    world.stdout.write(`${JSON.stringify(answer)}\n`);
    isRead = (await world.stdout.drained()) === "open";
    if (!isRead) server.abort();
  };
  for await (const line of requestLines(world.stdin, maxLineBytes)) {
    const replying = reply(line).finally(() => running.delete(replying));
    running.add(replying);
    if (!isRead) break;
  }
  await Promise.all(running);
  finish(0);
}

function messageIn(line: RequestLine): { value: unknown } | { why: string } {
  if (line.kind === "too_long") return { why: `it has ${line.bytes} bytes, and a line has at most ${maxLineBytes}` };
  if (line.kind === "not_utf8") return { why: "it is not UTF-8" };
  try {
    return { value: JSON.parse(line.text) };
  } catch (error) {
    return { why: `it is not JSON (${(error as Error).message})` };
  }
}
