// `tool team answer`: answers a question of the team from any terminal. The first answer wins, wherever it is given.
import { Command, Option } from "commander";
import type { RefusedFor } from "../../app/exit-codes.ts";
import { snakeCased } from "../../app/print/snake-case.ts";
import type { OpenTeam } from "../../app/team/open-team.ts";
import { type ExitCode, type Finish, UsageError, type World } from "../../app/world.ts";
import type { Request } from "../../board/messages/requests.ts";
import type { Answer, Question } from "../../permissions/questions/question.ts";
import type { TeamStatus } from "../../team/report/team-status.ts";
import { asPerson } from "../as-person.ts";

type Options = {
  allow?: "once" | "session" | "team" | "always" | "sandbox";
  network?: boolean;
  rule?: string;
  edits?: boolean;
  choose?: string;
  write?: string;
  deny?: boolean;
  reason?: string;
  team?: string;
  json?: boolean;
};

const example = `
Without an id it lists the open questions. The name of a member who asks one question is enough. A plan is approved by --allow once; with --edits, edits are then allowed without a question.
A question of AskUser is answered by --choose or --write; --deny leaves the decision to the agent.

Examples:
  tool team answer
  tool team answer ada-x7k2p --allow once
  tool team answer ada-x7k2p --choose 2
  tool team answer ada-x7k2p --deny --reason "push to a branch of your own"`;

export function teamAnswerCommand(world: World, finish: Finish): Command {
  return new Command("answer")
    .description("Answer an agent's question, or list the open questions.")
    .argument("[request]", "which question, or whose if it is the only one; without it, all are listed")
    .addOption(
      new Option("--allow <how>", "for how long it is allowed").choices(["once", "session", "team", "always", "sandbox"]).conflicts("deny"),
    )
    .addOption(new Option("--choose <number>", "choose this one of the answers that an agent offers").conflicts(["allow", "deny", "write"]))
    .addOption(new Option("--write <text>", "write your own answer to an agent's question").conflicts(["allow", "deny"]))
    .option("--rule <rule>", "with session, team and always: add the offer that contains this rule; without it, the first offer")
    .option("--network", "with --allow once: allow this command and give it the network")
    .option("--edits", "with --allow once, for a plan: allow edits without a question")
    .option("--deny", "refuse it")
    .option("--reason <text>", "with --deny: the reason that the agent is told")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", example)
    .action((wanted: string | undefined, options: Options) =>
      asPerson({ world, finish }, () => {
        const { team: _, json: __, ...answer } = options;
        const answers = Object.keys(answer).length > 0;
        if (answers && wanted === undefined)
          throw new UsageError(`which question? Give its id: ${world.command} team answer lists them. Nothing was answered.`);
        return answers && wanted !== undefined
          ? answerOne(world, finish, { wanted, options })
          : listPending(world, finish, { wanted, options });
      }),
    );
}

/** `wanted`: only this question, or those of this member. */
type Wanted = { wanted: string | undefined; options: Options };

async function listPending(world: World, finish: Finish, { wanted, options: { team: name, json } }: Wanted): Promise<void> {
  const { openTeamToSee } = await import("../../app/team/open-team.ts");
  const { requestsOf } = await import("../pending-requests.ts");
  const { askingInPanes, inPanesText, pendingText } = await import("../../screen/questions/pending-text.ts");
  const opened = await openTeamToSee(world, name);
  const { team, clock, requests } = await requestsOf(world, opened);
  const all = requests.pending();
  const status = await statusOf(world, opened);
  const pending = all.filter(({ id, from }) => wanted === undefined || id === wanted || from === wanted);
  const asking = askingInPanes(status.members, all).filter((member) => wanted === undefined || member.name === wanted);
  if (wanted !== undefined && pending.length + asking.length === 0)
    return finish(await refuseUnknown(world, { wanted, team, pending: all, json }));
  if (json) {
    const inPanes = asking.map(({ name: from, doing, since }) => ({ from, asks: doing, since }));
    world.stdout.write(`${JSON.stringify({ ok: true, requests: snakeCased(pending), in_panes: inPanes })}\n`);
  } else {
    const { styleOf } = await import("../../app/print/print-reply.ts");
    const { command } = world;
    const view = { team, nowMs: clock.now().getTime(), style: styleOf(world), width: world.stdout.columns, command };
    const texts = [
      pending.length > 0 && pendingText(pending, view),
      asking.length > 0 && inPanesText(status, { asking, command }),
      pending.length + asking.length === 0 && `Nobody in team ${team} waits for an answer.`,
    ];
    world.stdout.write(`${texts.filter(Boolean).join("\n\n")}\n`);
  }
  finish(0);
}

async function statusOf(world: World, { board, ports: { disk } }: OpenTeam): Promise<TeamStatus> {
  const { teamStatus } = await import("../../team/report/team-status.ts");
  const [processes, clock] = await Promise.all([world.edges.processes(), world.edges.clock()]);
  const read = teamStatus({ board, disk, processes, clock });
  if (!read.ok) throw new UsageError(read.reason);
  return read.status;
}

async function answerOne(world: World, finish: Finish, { wanted, options }: { wanted: string; options: Options }): Promise<void> {
  const { fits } = await import("../../permissions/questions/question.ts");
  const { answerFor, outcomeWords } = await import("../../team/teammate/ask-person.ts");
  const { visibleLine } = await import("../../screen/visible-text.ts");
  const { printRefusal } = await import("../../app/print/print-reply.ts");
  const { openTeam } = await import("../../app/team/open-team.ts");
  const { requestsOf } = await import("../pending-requests.ts");
  const { team, requests, grants } = await requestsOf(world, await openTeam(world, options.team));
  const pending = requests.pending();
  const request = pending.find((candidate) => candidate.id === wanted) ?? onlyOne(pending.filter(({ from }) => from === wanted));
  if (!request) return finish(await refuseUnknown(world, { wanted, team, pending, json: options.json }));
  const { id } = request;
  const answer = answerFrom(request, options);
  if (!fits(request.question, answer)) return refuse(`Cannot answer ${id} this way: ${await offered(request.question)}`, "bad_request");
  const settled = await answerFor({ requests, keepForTeam: grants.keep }, { id, answer, by: "command" });
  if (!settled?.won) {
    const why = settled ? outcomeWords(settled.outcome, request.from) : "it is gone";
    return refuse(`Cannot answer ${id}: ${visibleLine(why)}`, "already_answered");
  }
  world.stdout.write(`${options.json ? JSON.stringify({ ok: true, request: id, answer }) : `Answered ${id} for ${request.from}.`}\n`);
  finish(0);

  function refuse(message: string, code: RefusedFor): void {
    finish(printRefusal(world, { code, message }, options));
  }
}

type Unknown = { wanted: string; team: string; pending: Request<Question>[]; json: boolean | undefined };

async function refuseUnknown(world: World, { wanted, team, pending, json }: Unknown): Promise<ExitCode> {
  const { visibleLine } = await import("../../screen/visible-text.ts");
  const { printRefusal } = await import("../../app/print/print-reply.ts");
  const waiting = pending.length > 0 ? `Waiting: ${pending.map((other) => other.id).join(", ")}` : "Nothing waits for an answer";
  const message = `Cannot answer "${visibleLine(wanted)}": team ${team} has no such open question. ${waiting}`;
  return printRefusal(world, { code: "not_found", message }, { json });
}

const onlyOne = <Item>(found: Item[]): Item | undefined => (found.length === 1 ? found[0] : undefined);

/** Throws UsageError if the flags do not give an answer. */
function answerFrom({ question }: Request<Question>, options: Options): Answer {
  const { allow, rule, network, edits, deny, reason, choose, write } = options;
  if (deny) return reason === undefined ? { kind: "no" } : { kind: "no", reason };
  if (reason !== undefined) throw new UsageError("--reason needs --deny. Nothing was answered.");
  if (write !== undefined) return { kind: "written", text: write };
  if (choose !== undefined)
    return { kind: "chosen", option: (question.kind === "choice" && question.options[Number(choose) - 1]) || choose };
  if (allow === undefined) throw new UsageError(`say ${question.kind === "choice" ? choiceWays : allows} or --deny. Nothing was answered.`);
  if (question.kind === "plan" && allow === "once") return { kind: "approve", mode: edits ? "acceptEdits" : "default" };
  if (allow === "once") return { kind: "once", ...(network && { network }) };
  if (network) throw new UsageError("--network needs --allow once. Nothing was answered.");
  const { offers = [], team } = question.kind === "permission" ? question : {};
  if (allow === "sandbox") return { kind: "sandbox", for: team ? "team" : "session" };
  const taken = offers.find(({ always, rules }) => (rule === undefined ? always || allow !== "always" : rules.includes(rule)));
  return { kind: allow, rules: taken?.rules ?? [] };
}

const choiceWays = "--choose <number>, --write <text>";
const allows = "--allow once, --allow session, --allow team, --allow always, --allow sandbox";

/** The possible answers, for the error message. */
async function offered(question: Question): Promise<string> {
  const { rulesText } = await import("../../wording/question-words.ts");
  if (question.kind === "plan") return "a plan is approved by --allow once, with --edits if edits are to pass, or refused by --deny";
  if (question.kind === "choice") {
    const options = question.options.map((option, index) => `${index + 1} (${option})`).join(", ");
    return `it can be answered by --choose with ${options}, by --write with a text, or --deny`;
  }
  const { offers, file, network, sandbox, team } = question;
  const texts = (offered: typeof offers) => offered.map(({ rules }) => rulesText(rules)).join(" or ");
  const kept = file === undefined ? [] : offers.filter(({ always }) => always);
  const ways = [
    network ? "--allow once, --allow once --network" : "--allow once",
    offers.length > 0 && `--allow session${team ? " or team" : ""} with ${texts(offers)}`,
    kept.length > 0 && `--allow always with ${texts(kept)}`,
    sandbox && "--allow sandbox",
  ];
  return `it can be answered by ${ways.filter(Boolean).join(", ")}, or --deny`;
}
