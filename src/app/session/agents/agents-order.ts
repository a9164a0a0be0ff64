// What the agents of a session are opened with.
import type { Agent } from "../../../agent/agent.ts";
import type { Permit } from "../../../agent/ports/permit.ts";
import type { Failures } from "../../../agent/result/failures.ts";
import type { BoundingDefinition } from "../../../subagents/bounds.ts";
import type { Definitions } from "../../../subagents/definitions/definitions.ts";
import type { AnyTool } from "../../../tools/tool.ts";
import type { ToolUser } from "../further-tools.ts";
import type { SessionParts } from "../session-setup.ts";
import type { AskFor } from "./agent-permit.ts";

/** What the parent session shares with its agents, and what the caller decides about them. */
export type AgentsOrder = SessionParts["agents"] & {
  id: string;
  /** Absent: they are loaded here. */
  definitions?: Definitions;
  /** Built-in agents that are not offered to its model. */
  unlisted?: readonly string[];
  /** The definition that the session itself runs with. */
  as?: BoundingDefinition | undefined;
  /** Absent if nobody can be asked. */
  askFor?: AskFor | undefined;
  onNotice?: ((text: string) => void) | undefined;
  /** Wraps the permit of every agent; absent if nobody else edits this tree. */
  guardEdits?: ((permit: Permit) => Permit) | undefined;
  /** Where a worker is recorded that failed without recording it itself. */
  failures: Pick<Failures, "record">;
  /** The tools of every agent apart from its work and other agents. */
  furtherTools: (user: ToolUser) => AnyTool[];
  /** Gives an agent the skills that its definition names. */
  preload: (user: ToolUser) => NonNullable<Agent["useSkill"]>;
};
