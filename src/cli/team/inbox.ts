// `tool team inbox`: a member's messages. The messages of a live member are shown but never moved.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

type Options = { as: string; ack?: string; team?: string; json?: boolean };

export function teamInboxCommand(world: World, finish: Finish): Command {
  return new Command("inbox")
    .description("Show a member's messages that are not acknowledged yet.")
    .requiredOption("--as <agent>", "whose inbox")
    .option("--ack <ids>", "acknowledge these first, separated by commas")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team inbox --as ann --team atlas")
    .action((options: Options) => asPerson({ world, finish }, () => inbox(world, finish, options)));
}

async function inbox(world: World, finish: Finish, { as, ack, team, json }: Options): Promise<void> {
  const { actorNamed, commaList, openTeam } = await import("../../app/team/open-team.ts");
  const { messageLines, printReply } = await import("../../app/print-reply.ts");
  const { operate } = await import("../../board/operations.ts");
  const { board, record } = await openTeam(world, team);
  const reply = await operate(board, { op: "Inbox", args: ack === undefined ? {} : { ack: commaList(ack) } }, actorNamed(as, record));
  const text = (success: Extract<typeof reply, { messages: unknown }>) => {
    const unreadable = (success.unreadable ?? []).map(({ file, reason }) => `Not a message (${reason}), set aside as ${file}`);
    return [messageLines(success.messages) || `No messages for ${as}.`, ...unreadable].join("\n");
  };
  finish(printReply(world, reply, { json, text: (success) => ("messages" in success ? text(success) : "") }));
}
