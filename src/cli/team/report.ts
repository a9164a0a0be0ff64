// `tool team report`: what a team has done so far or in total, with its timeline.
import { Command } from "commander";
import { type Finish, UsageError, type World } from "../../app/world.ts";

type Options = { team?: string; json?: boolean; html?: boolean; output?: string };

export function teamReportCommand(world: World, finish: Finish): Command {
  return new Command("report")
    .description("Show what a team has done, what it cost, what blocked it, and when everything happened.")
    .argument("[team]", "which team")
    .option("--team <name>", "which team")
    .option("--json", "print JSON, without the timeline (tool team log --json prints that)")
    .option("--html", "one page for a browser, with the timeline, messages, cost, questions and files")
    .option("--output <file>", "where --html writes the page (default: standard output)")
    .addHelpText("after", "\nExamples:\n  tool team report --team atlas\n  tool team report --team atlas --html --output atlas.html")
    .action((team: string | undefined, options: Options) => showReport(world, finish, { name: team, options }));
}

async function showReport(world: World, finish: Finish, { name, options }: { name: string | undefined; options: Options }): Promise<void> {
  if (options.html && options.json) throw new UsageError("--html and --json are two forms of the report: choose one.");
  if (options.output !== undefined && !options.html) throw new UsageError("--output needs --html whose file it names. Add --html.");
  const { openTeamToSee, teamNamed } = await import("../../app/team/open-team.ts");
  const { fitted } = await import("../../app/print/fitted.ts");
  const { styleOf } = await import("../../app/print/print-reply.ts");
  const { namesOf } = await import("../../board/team-record.ts");
  const { reportFromFiles } = await import("../../team/report/report-from-files.ts");
  const { readResult } = await import("../../team/lead/result.ts");
  const { teamReportText } = await import("../../screen/team/team-report.ts");
  const { printLine } = await import("../../screen/events/team-lines.ts");
  const { board, record, ports } = await openTeamToSee(world, teamNamed(name, options.team));
  const running = namesOf(record).some((member) => board.holder(member) !== undefined);
  const result = board.holder(record.lead) ? undefined : readResult(ports.disk, board.layout);
  const files = { board, record, disk: ports.disk, configDir: world.configDir };
  const report = result?.report ?? reportFromFiles(files, running ? ports.clock.now() : undefined);
  if (options.html) {
    const { reportFacts } = await import("../../team/report/report-facts.ts");
    const { teamRequests } = await import("../../team/requests.ts");
    const { writeReportPage } = await import("./report-page.ts");
    const [clock, processes] = await Promise.all([world.edges.clock(), world.edges.processes()]);
    const requests = teamRequests({ board, disk: ports.disk, clock, processes });
    const facts = reportFacts(files, { report, running, stalled: result?.end.stalled ?? [], requests });
    await writeReportPage(world, { facts, output: options.output, disk: ports.disk });
  } else if (options.json) {
    world.stdout.write(
      `${JSON.stringify({ ok: true, ...report, running, ended: result?.end.how ?? null, exit_code: result?.code ?? null, worktrees: result?.worktrees })}\n`,
    );
  } else {
    const events = board.follow().next();
    const timeline = events.flatMap((event) => printLine(event, new Date(record.created_at)) ?? []);
    const text = teamReportText(report, styleOf(world, report.members), {
      running,
      timeline,
      stalled: result?.end.stalled,
      worktrees: result?.worktrees,
      command: world.command,
    });
    world.stdout.write(`${await fitted(world.stdout, text)}\n`);
  }
  finish(0);
}
