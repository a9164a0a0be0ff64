// What can be asked of one agent's workspace at a place.
import { z } from "zod";
import type { Permit } from "../../agent/ports/permit.ts";
import { toolCall } from "../../agent/tool-calls.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { CallContext, Members } from "../../places/serve-hands.ts";
import { liveLines } from "../../secrets/redaction/live-lines.ts";
import type { AnyTool, ToolResult } from "../../tools/tool.ts";

const callSchema = z.object({
  id: z.string().optional(),
  tool: z.string(),
  input: z.unknown(),
  mode: z.string(),
  asked: z.boolean().default(true),
  hook: z.unknown().optional(),
  /** The result is wanted with the decision, if it allows the call as it is. */
  early: z.boolean().default(false),
});

/** `asked`: whether somebody can be asked at home. */
export type AgentThere = { work: Workspace; permit(asked: boolean): Permit; monotonicMs(): number };

/** They wait until it is open. `main`: the workspace of the agent for which the hands were started. */
export function agentMembers(at: () => Promise<AgentThere>, main: () => Promise<Workspace>): Members {
  const work = async () => (await at()).work;
  return {
    async permit(args, context) {
      const call = callSchema.parse(args);
      const [there, first] = await Promise.all([at(), main()]);
      if (first.mode() !== call.mode) first.changeMode(call.mode); // the others follow it
      const decided = await decide(there, call, context.signal);
      const { permission } = decided;
      const isEarly = call.early && permission.allowed && permission.input === undefined;
      return isEarly ? { ...decided, ran: await ranEarly(there, call, context) } : decided;
    },
    async run(args, context) {
      const call = callSchema.parse(args);
      return run(await work(), call, context);
    },
    async environment() {
      const its = await work();
      its.prepare();
      return (await its.environmentInput()).text;
    },
    paths: async () => (await work()).paths(),
    sandbox: async () => (await work()).sandbox(),
    revoke: async (rule) => (await work()).revoke(z.string().parse(rule)),
    kill: async (id) => void (await (await work()).commands.own.kill(z.string().parse(id))),
    stop: async (id) => (await work()).commands.all.stop(z.string().parse(id)),
    toBackground: async () => (await work()).commands.own.toBackground(),
    async narrow(args) {
      const { skill, tools } = z.object({ skill: z.string(), tools: z.array(z.string()) }).parse(args);
      (await work()).narrow(skill, tools);
    },
    widen: async () => (await work()).widen(),
  };
}

function toolNamed({ tools }: Workspace, wanted: string): AnyTool {
  const tool = tools.find(({ name }) => name === wanted);
  if (!tool) throw new Error(`there is no tool "${wanted}" there`);
  return tool;
}

async function decide({ work, permit }: AgentThere, { tool, input, asked, ...call }: z.infer<typeof callSchema>, signal: AbortSignal) {
  const hook = call.hook as NonNullable<Parameters<Permit>[0]["hook"]> | undefined;
  const permission = await permit(asked)({ ...toolCall(toolNamed(work, tool), call.id ?? "", input), ...(hook && { hook }) }, signal);
  return { permission, granted: work.granted() };
}

type Running = Pick<z.infer<typeof callSchema>, "tool" | "input" | "id">;
type Ran = { result: ToolResult; notices: string[] };

/** Undefined if it fails: home asks for it then, and hears why. */
async function ranEarly(
  { work, monotonicMs }: AgentThere,
  call: Running,
  context: CallContext,
): Promise<(Ran & { ms: number }) | undefined> {
  const from = monotonicMs();
  const ran = await run(work, call, context).catch(() => undefined);
  return ran && { ...ran, ms: monotonicMs() - from };
}

/** As the loop runs a call: placeholders of the same file become its secrets again, and no secret leaves in the result. */
async function run(work: Workspace, { tool: name, input, id }: Running, context: CallContext): Promise<Ran> {
  const { filter, shared } = work;
  const tool = toolNamed(work, name);
  const screened = await filter.call({ tool: tool.name, input }, context.signal);
  if (!screened.ok) return { result: { text: screened.reason, isError: true, summary: "refused" }, notices: [] };
  const onOutput = liveLines(shared.redactor, context.onOutput);
  return filter.result(await tool.run(screened.input, { ...context, onOutput, ...(id !== undefined && { call: id }) }));
}
