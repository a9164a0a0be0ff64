// A workspace without files and shells: the test provides the tools, every call is allowed unless the test decides otherwise, and the word
// "s3cret" must never leave the machine.

import type { Instructions } from "../../src/agent/instructions.ts";
import type { Permit } from "../../src/agent/ports/permit.ts";
import type { WorkspaceRequest } from "../../src/agent/workspace/workspace-request.ts";
import type { Workspace } from "../../src/agent/workspace.ts";
import { createCommands } from "../../src/background/commands.ts";
import type { SandboxState } from "../../src/permissions/policy.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { anyTool, done } from "../agent/agent-kit.ts";

type MemoryWork = {
  /** How each workspace was opened, in order. */
  requests: WorkspaceRequest[];
  /** The owners of the workspaces whose commands were ended. */
  ended: string[];
  /** The skill that narrowed it, or "" for each time it was widened again. */
  narrowed: string[];
  open(request: WorkspaceRequest): Promise<Workspace>;
};

export type MemoryWorkSetup = { tools?: AnyTool[]; permit?: Permit; instructions?: Instructions[]; sandbox?: SandboxState };

export function memoryWork({ tools = [], permit, instructions = [], sandbox = { kind: "active" } }: MemoryWorkSetup = {}): MemoryWork {
  const requests: WorkspaceRequest[] = [];
  const ended: string[] = [];
  const narrowed: string[] = [];
  return {
    requests,
    ended,
    narrowed,
    async open(request) {
      requests.push(request);
      const redacted = (text: string) => text.replaceAll("s3cret", "[redacted]");
      const all = createCommands({ now: () => new Date(0), monotonicMs: () => 0 });
      const own = all.forAgent({ agent: request.owner, outputs: undefined, redacted });
      let mode = request.settings.by.flags.permissionMode ?? ("default" as const);
      const workspace: Partial<Workspace> = {
        tools,
        permit: () => permit ?? (async () => ({ allowed: true })),
        filter: {
          call: async ({ input }) => ({ ok: true, input }),
          result: async (result) => ({ result: { ...result, text: redacted(result.text) }, notices: [] }),
          reply: async (message) => message,
          text: async (text) => redacted(text),
          inputs: async (inputs) => ({ inputs: inputs.map((input) => ({ ...input, text: redacted(input.text) })), notices: [] }),
        },
        redacted: async (text) => redacted(text),
        secretsIn: () => 0,
        settings: () => request.settings,
        own: async () => {},
        prepare() {},
        mode: () => mode,
        changeMode(wanted = "plan") {
          mode = wanted as typeof mode;
          return { ok: true, mode } as ReturnType<Workspace["changeMode"]>;
        },
        planTool: anyTool("SubmitPlan", () => done("")),
        refresh: async () => {},
        granted: () => [],
        revoke: () => false,
        instructions: async () => ({ found: instructions, skipped: [] }),
        whyHidden: async () => undefined,
        fileInTree: async (path) => ({ ok: true, path }),
        writtenFiles: async () => [],
        narrow: (skill) => void narrowed.push(skill),
        widen: () => void narrowed.push(""),
        paths: async () => [],
        environmentInput: async () => ({ source: { kind: "environment" }, text: "You are in /repo." }),
        platform: "linux",
        sandbox: async () => sandbox,
        environment: () => ({}),
        commands: { own, all },
        servers: [],
        kept: undefined,
        endAll: async () => void ended.push(request.owner),
      };
      return workspace as Workspace;
    },
  };
}
