// `tool team inbox`: a member's messages. The messages of a live member are shown but never moved.
import { Command } from "commander";
import { type Finish, UsageError, type World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

type Options = { as?: string; ack?: string; team?: string; json?: boolean };

export function teamInboxCommand(world: World, finish: Finish): Command {
  return new Command("inbox")
    .description("Show a member's messages that are not acknowledged yet.")
    .argument("[member]", "whose inbox")
    .option("--as <agent>", "the same")
    .option("--ack <ids>", "acknowledge these first, separated by commas")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team inbox ann --team atlas")
    .action((member: string | undefined, options: Options) =>
      asPerson({ world, finish }, () => inbox(world, finish, { member, ...options })),
    );
}

async function inbox(
  world: World,
  finish: Finish,
  { member, as, ack, team, json }: Options & { member: string | undefined },
): Promise<void> {
  const { actorNamed, commaList, openTeam } = await import("../../app/team/open-team.ts");
  const { messageLines, printReply } = await import("../../app/print/print-reply.ts");
  const { namesOf } = await import("../../board/team-record.ts");
  const { operate } = await import("../../board/tasks/operations.ts");
  const { board, record } = await openTeam(world, team);
  const whose = member ?? as;
  if (whose === undefined || (as !== undefined && as !== whose))
    throw new UsageError(`Whose inbox? Name one member: ${namesOf(record).join(", ")}. Nothing was read.`);
  const reply = await operate(board, { op: "Inbox", args: ack === undefined ? {} : { ack: commaList(ack) } }, actorNamed(whose, record));
  const text = (success: Extract<typeof reply, { messages: unknown }>) => {
    const unreadable = (success.unreadable ?? []).map(({ file, reason }) => `Not a message (${reason}), set aside as ${file}`);
    return [messageLines(success.messages) || `No messages for ${whose}.`, ...unreadable].join("\n");
  };
  finish(printReply(world, reply, { json, text: (success) => ("messages" in success ? text(success) : "") }));
}
