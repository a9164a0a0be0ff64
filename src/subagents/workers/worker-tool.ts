// StartWorker: the tool with which a coordinator starts a worker for one component. The order is checked before anything runs.
import type { FileInTree } from "../../agent/file-in-tree.ts";
import { done, refused } from "../../tools/answer.ts";
import type { Tool, ToolResult } from "../../tools/tool.ts";
import type { Definition } from "../definitions/definition.ts";
import { type AgentRecord, isUnderWay } from "../record.ts";
import type { Subagents } from "../subagents.ts";
import { type Worker, type WorkerOrder, workerAliases, workerOrder } from "./worker-order.ts";
import { workerPrompt, workerToolText } from "./worker-prompt.ts";
import { waitsFor } from "./worker-rules.ts";

export type WorkerToolSetup = {
  host: Subagents;
  /** The definition that workers start with. */
  definition: Definition;
  modelOf: (wanted: string) => string;
  /** The coordinator; absent if the session itself is one. */
  self?: AgentRecord;
  /** Whether a worker may be given this file. */
  fileInTree(path: string): Promise<FileInTree>;
  exists(path: string): boolean;
};

export function workerTool({ host, definition, modelOf, self, fileInTree, exists }: WorkerToolSetup): Tool<WorkerOrder> {
  return {
    name: "StartWorker",
    description: workerToolText.description,
    input: workerOrder,
    aliases: workerAliases,
    readOnly: false,
    subject: ({ component, phase }) => `${component}, phase ${phase}`,
    async run(order, { signal, call = "" }): Promise<ToolResult> {
      const read = await workerOf(order, fileInTree, exists);
      if ("reason" in read) return refused(read.reason, "refused");
      const { worker } = read;
      const siblings = host.list().filter((record) => record.worker && record.parent === self?.id);
      const unknown = worker.after.find((component) => !siblings.some((record) => record.worker?.component === component));
      if (unknown !== undefined)
        return refused(
          `Cannot start the worker "${worker.component}": it is to come after "${unknown}", and no worker of that component was started. Start that one first.`,
          "refused",
        );
      const { component } = worker;
      const prompt = workerPrompt({ ...order, ...worker });
      const model = modelOf(definition.model);
      const started = await host.start(
        {
          definition,
          name: nameOf(component),
          description: shortly(order.instructions),
          prompt,
          model,
          background: true,
          call,
          parent: self,
          worker,
        },
        signal,
      );
      if (started.kind === "refused") return refused(started.reason, "refused");
      const { record } = started;
      const others = waitsFor(record, host.list().filter(isUnderWay));
      if (others.length === 0) return done(workerToolText.started(record), `${record.id}, at work`);
      const names = others.map(({ name }) => name).join(", ");
      return done(workerToolText.waits(record, names), `${record.id}, waits for ${names}`);
    },
  };
}

async function workerOf(
  order: WorkerOrder,
  fileInTree: WorkerToolSetup["fileInTree"],
  exists: WorkerToolSetup["exists"],
): Promise<{ worker: Worker } | { reason: string }> {
  const files: string[] = [];
  for (const path of order.files) {
    const found = await fileInTree(path);
    if (!found.ok) return { reason: `Cannot start the worker "${order.component}": the file "${path}" ${found.reason}.` };
    if (!files.includes(found.path)) files.push(found.path);
  }
  const { component, phase, after, testCommand } = order;
  return { worker: { component, files, newFiles: files.filter((path) => !exists(path)), phase, after, testCommand } };
}

/** One word, so that it can be typed after /tasks. */
function nameOf(component: string): string {
  return (
    component
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_-]+/gu, "-")
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 64) || "worker"
  );
}

const longest = 60;

/** The first sentence or line, for lists. */
function shortly(instructions: string): string {
  const [first = ""] = instructions.trim().split(/(?<=\.)\s|\n/);
  return first.length <= longest ? first : `${first.slice(0, longest).toWellFormed()}…`;
}
