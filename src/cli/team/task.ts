// `tool team task …`: changes one task, as the user or as a named member.

import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";
import { plural } from "../../wording/figures.ts";
import { asPerson } from "../as-person.ts";
import { type ReadOptions, showTasks } from "./tasks.ts";

type Options = ReadOptions & {
  as: string;
  title?: string;
  description?: string;
  assignee?: string;
  depends?: string;
  files?: string;
  verify?: string;
  status?: string;
  summary?: string;
  reason?: string;
};

export function teamTaskCommand(world: World, finish: Finish): Command {
  const person = (act: () => Promise<void>) => asPerson({ world, finish }, act);
  const task = new Command("task")
    .description("Create, look at and change tasks.")
    .addHelpText("after", "\nExample:\n  tool team task list --team atlas");
  task
    .command("create")
    .description("Add a task.")
    .requiredOption("--title <title>", "short, one line")
    .option("--description <text>", "what to do")
    .option("--assignee <teammate>", "who is to do it")
    .option("--depends <ids>", "tasks that must be completed first, separated by commas (dependencies, in JSON)")
    .option("--files <paths>", "files that it is to change, separated by commas")
    .option("--verify <command>", "a command that must pass, run as its owner's, before it counts as completed")
    .option("--as <agent>", "act as this member", "user")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  tool team task create --title "Parse dates" --depends task-1,task-2')
    .action((options: Options) => person(() => change(world, finish, { options, request: createRequest(options) })));
  task
    .command("get")
    .description("Show one task in full.")
    .argument("<id>", "task-<number>")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team task get task-3")
    .action((id: string, options: ReadOptions) =>
      person(() => change(world, finish, { options: { ...options, as: "user" }, request: { op: "TaskGet", args: { id } } })),
    );
  task
    .command("list")
    .description("Show all tasks.")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team task list")
    .action((options: ReadOptions) => person(() => showTasks(world, finish, options)));
  task
    .command("update")
    .description("Change a task: claim, complete, block, resume, release, assign.")
    .argument("<id>", "task-<number>")
    .option("--status <status>", "open, in_progress, blocked or completed")
    .option("--summary <text>", "what was done; required when completing")
    .option("--reason <text>", "why it is blocked")
    .option("--assignee <teammate>", 'who is to do it; "" for nobody')
    .option("--depends <ids>", 'the whole new list of dependencies, separated by commas; "" for none')
    .option(
      "--files <paths>",
      "the whole new list of files that it is to change, separated by commas; a task in progress gets them even if another task had them first",
    )
    .option("--verify <command>", 'the command that proves it; "" for none')
    .option("--as <agent>", "act as this member", "user")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  tool team task update task-3 --status completed --summary "Dates parsed, 4 tests added" --as ann')
    .action((id: string, options: Options) => person(() => change(world, finish, { options, request: updateRequest(id, options) })));
  task
    .command("restore")
    .description("Restore the version before a damaged task list. The damaged file is kept.")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team task restore --team atlas")
    .action((options: ReadOptions) => person(() => restore(world, finish, options)));
  return task;
}

type Request = { op: string; args: { files?: string[]; [name: string]: unknown } };

async function change(
  world: World,
  finish: Finish,
  { options, request }: { options: ReadOptions & { as: string }; request: Request },
): Promise<void> {
  const { actorNamed, openTeam, openTeamToSee } = await import("../../app/team/open-team.ts");
  const { printReply, taskText } = await import("../../app/print/print-reply.ts");
  const { scriptWitness } = await import("../../app/team/script-witness.ts");
  const { operate } = await import("../../board/tasks/operations.ts");
  const { realNames } = await import("../../app/team/named-files.ts");
  const { board, record } = await (request.op === "TaskGet" ? openTeamToSee : openTeam)(world, options.team);
  const { files } = request.args;
  if (files) request.args.files = await realNames(files, record.cwd, await world.edges.realPath());
  const reply = await operate(board, request, { ...actorNamed(options.as, record), witness: scriptWitness(world, record) });
  finish(printReply(world, reply, { json: options.json, text: (success) => ("task" in success ? taskText(success.task) : "") }));
}

async function restore(world: World, finish: Finish, { team, json }: ReadOptions): Promise<void> {
  const { openTeam } = await import("../../app/team/open-team.ts");
  const { printLine } = await import("../../screen/events/team-lines.ts");
  const { printRefusal } = await import("../../app/print/print-reply.ts");
  const { board, record } = await openTeam(world, team);
  const restored = await board.tasks.restore("user");
  if (!restored.ok) return finish(printRefusal(world, { code: restored.code, message: restored.reason }, { json }));
  const { list, damaged, undone } = restored;
  const lost = undone.flatMap((event) => printLine(event, new Date(record.created_at)) ?? []);
  const text = [
    `Restored the task list of team ${record.name}: ${plural(list.tasks.length, "task")}, revision ${list.revision}.`,
    damaged && `The damaged list is kept as ${damaged}`,
    lost.length > 0 && `The log has changes that are missing in this version of the list:\n${lost.map((line) => `  ${line}`).join("\n")}`,
  ];
  world.stdout.write(
    `${json ? JSON.stringify({ ok: true, revision: list.revision, damaged, undone }) : text.filter(Boolean).join("\n")}\n`,
  );
  finish(0);
}

function createRequest({ title, description, assignee, depends, files, verify }: Options): Request {
  return { op: "TaskCreate", args: given({ title, description, assignee, dependencies: listOf(depends), files: listOf(files), verify }) };
}

function updateRequest(id: string, { status, summary, reason, assignee, depends, files, verify }: Options): Request {
  const lists = { dependencies: listOf(depends), files: listOf(files) };
  const removable = { assignee: assignee === "" ? null : assignee, verify: verify === "" ? null : verify };
  return { op: "TaskUpdate", args: given({ id, status, summary, reason, ...removable, ...lists }) };
}

function given(args: Request["args"]): Request["args"] {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

function listOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  return text.trim() === "" ? [] : text.split(",").map((item) => item.trim());
}
