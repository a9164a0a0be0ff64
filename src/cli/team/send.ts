// `tool team send`: sends a message to a member, from the user or from a named member.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

type Options = { as: string; team?: string; json?: boolean };

export function teamSendCommand(world: World, finish: Finish): Command {
  return new Command("send")
    .description("Send a message to the lead or a teammate. It is read between the receiver's tool calls.")
    .argument("<to>", "the lead or a teammate")
    .argument("<text>", "at most 32 KB; for more, send the path of a file")
    .option("--as <agent>", "send as this member", "user")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  tool team send ann "ISO dates, no time zone" --team atlas')
    .action((to: string, text: string, options: Options) => asPerson({ world, finish }, () => send(world, finish, { to, text, options })));
}

async function send(world: World, finish: Finish, { to, text, options }: { to: string; text: string; options: Options }): Promise<void> {
  const { actorNamed, openTeam } = await import("../../app/team/open-team.ts");
  const { printReply } = await import("../../app/print/print-reply.ts");
  const { operate } = await import("../../board/tasks/operations.ts");
  const { board, record } = await openTeam(world, options.team);
  const reply = await operate(board, { op: "SendMessage", args: { to, text } }, actorNamed(options.as, record));
  finish(printReply(world, reply, { json: options.json, text: () => `Sent to ${to}.` }));
}
