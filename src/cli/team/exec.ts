// `tool team exec`: the agents' operations as JSON lines on stdin and stdout, so that any program can be a member.
import { Command } from "commander";
import type { RequestLine } from "../../app/request-lines.ts";
import type { Finish, World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

type Options = { as: string; team?: string };

/** A longer line is refused; the longest message has 32 KB. */
const maxLineBytes = 1024 * 1024;

const example = `
Each line of stdin is a request, each line of stdout its reply, in order:
  {"op":"TaskCreate","args":{"title","description"?,"assignee"?,"dependencies"?,"files"?,"verify"?}}
  {"op":"TaskUpdate","args":{"id","status"?,"summary"?,"reason"?,"assignee"?,"dependencies"?,"files"?,"verify"?}}
  {"op":"TaskGet","args":{"id"}}   {"op":"TaskList"}   {"op":"SendMessage","args":{"to","text"}}   {"op":"Inbox","args":{"ack"?}}

Example:
  echo '{"op":"TaskList"}' | tool team exec --as ann --team atlas`;

export function teamExecCommand(world: World, finish: Finish): Command {
  return new Command("exec")
    .description("Run requests as a member: one JSON request per line in, one JSON reply per line out.")
    .requiredOption("--as <agent>", "the member to act as")
    .option("--team <name>", "which team")
    .addHelpText("after", example)
    .action((options: Options) => asPerson({ world, finish }, () => exec(world, finish, options)));
}

async function exec(world: World, finish: Finish, { as, team }: Options): Promise<void> {
  const { actorNamed, openTeam } = await import("../../app/team/open-team.ts");
  const { scriptWitness } = await import("../../app/team/script-witness.ts");
  const { operate } = await import("../../board/tasks/operations.ts");
  const { requestLines } = await import("../../app/request-lines.ts");
  const { board, record } = await openTeam(world, team);
  const actor = { ...actorNamed(as, record), witness: scriptWitness(world, record) };
  for await (const line of requestLines(world.stdin, maxLineBytes)) {
    const request = parsed(line);
    const reply = "problem" in request ? { ok: false, error: request.problem } : await operate(board, request.value, actor);
    world.stdout.write(`${JSON.stringify(reply)}\n`);
    // Nobody reads the replies any more, so the remaining requests are not carried out.
    if ((await world.stdout.drained()) === "closed") break;
  }
  finish(0);
}

function parsed(line: RequestLine): { value: unknown } | { problem: { code: string; message: string } } {
  switch (line.kind) {
    case "too_long":
      return {
        problem: {
          code: "too_large",
          message: `Cannot read the request: it has ${line.bytes} bytes, and a line has at most ${maxLineBytes}`,
        },
      };
    case "not_utf8":
      return { problem: { code: "bad_request", message: "Cannot read the request: it is not UTF-8" } };
    case "text":
      try {
        return { value: JSON.parse(line.text) };
      } catch (error) {
        return { problem: { code: "bad_request", message: `Cannot read the request: it is not JSON (${(error as Error).message})` } };
      }
  }
}
