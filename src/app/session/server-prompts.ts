// Prompts of MCP servers as lines that a person types: `/server:prompt`. The server is asked when the agent takes the line.
import type { Input } from "../../agent/events.ts";
import type { SkillInput } from "../../agent/session/used-skills.ts";
import type { Workspace } from "../../agent/workspace.ts";
import { atServer, knownPrompts, promptText } from "../../mcp/prompts.ts";
import type { SlashCommand } from "../../screen/commands/commands.ts";
import { visibleLine } from "../../screen/visible-text.ts";

export type ServerPrompts = {
  /** Whether the part before its colon is a server here. */
  has(name: string): boolean;
  use(input: SkillInput, signal: AbortSignal): Promise<Input>;
  /** Those that are known; `run` receives the line. */
  commands(run: (line: string) => Promise<void>): SlashCommand[];
};

export function serverPrompts({ servers }: Pick<Workspace, "servers">): ServerPrompts {
  return {
    has: (name) => atServer(servers, name) !== undefined,
    async use(input, signal) {
      const { name, arguments: given } = input.source;
      const line = `/${name} ${given}`.trim();
      const at = atServer(servers, name);
      const read = at ? await promptText(at, given, signal) : ({ ok: false, reason: "is not here" } as const);
      if (read.ok)
        return {
          ...input,
          text: `The person typed ${line}, a prompt of the server "${at?.connection.configured.name}":\n\n${read.text}`,
          shown: `  ${line}`,
        };
      const why = `the server ${read.reason}`;
      return { ...input, text: `The person typed ${line}, which did not work: ${why}`, shown: `  ${line}  ${visibleLine(why)}` };
    },
    commands: (run) =>
      knownPrompts(servers).map(({ name, prompt }) => ({
        name,
        ...(prompt.arguments.length > 0 && { argument: visibleLine(prompt.arguments.map((one) => `[${one.name}]`).join(" ")) }),
        summary: visibleLine(prompt.description.slice(0, 100)) || "a prompt of this server",
        run: (given) => run(`/${name} ${given}`.trim()),
      })),
  };
}
