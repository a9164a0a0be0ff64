import { expect, it } from "vitest";
import { policyStore } from "../../../src/agent/policy-store.ts";
import { commandReader } from "../../../src/agent/ports/command-reader.ts";
import type { WorkspacePorts } from "../../../src/agent/ports/workspace-ports.ts";
import { gitView } from "../../../src/agent/workspace/git-view.ts";
import { outboundFilter } from "../../../src/agent/workspace/outbound-filter.ts";
import { locate } from "../../../src/permissions/call.ts";
import { createRedactor } from "../../../src/secrets/redaction/redactor.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";
import { policyFor } from "../../tools/agent.ts";

function countedReader() {
  const taken: string[] = [];
  const read = commandReader(async () => ({
    analyseCommand(text) {
      taken.push(text);
      return analyseCommand(text);
    },
  }));
  return { taken, read };
}

it("analyses a command again only if another one has come between", async () => {
  const { taken, read } = countedReader();
  const [first, again] = await Promise.all([read("git push"), read("git push")]);
  expect(again).toBe(first);
  expect((await read("ls")).commands.map(({ text }) => text)).toEqual(["ls"]);
  expect(await read("git push")).toEqual(first);
  expect(taken).toEqual(["git push", "ls", "git push"]);
});

it("serves the inspection of the repository, the decision and the filter of one call with one analysis", async () => {
  const { taken, read } = countedReader();
  const scanner = async () => [];
  const policy = await policyFor("/repo");
  const nothing = {
    isStale: () => false,
    tracked: () => [],
    first: () => new Map(),
    survey: async () => ({ paths: [], ids: [], exposed: [] }),
  };
  const ports = {
    repositoryHistory: () => nothing,
    repositoryPrograms: async () => undefined,
    namesContents: async () => false,
    configuredRemotes: async () => ["origin"],
    files: () => ({ real: async (path: string) => path }),
  } as unknown as WorkspacePorts;
  const command = "cd lib && git push origin main";

  await gitView(policyStore(policy), { stateFolder: "/state", scanner, read }, ports).survey(command);
  const call = { tool: "Bash", input: { command }, analysis: await read(command) };
  const { subject } = await locate(call, policy, async (path) => path);
  const filter = outboundFilter(createRedactor({ mode: "off", scanner, variables: [] }), read);
  await filter.call(call, new AbortController().signal);

  expect(subject).toMatchObject({ kind: "command", command });
  expect(subject.kind === "command" && subject.analysis).toBe(call.analysis);
  expect(taken).toEqual([command]);
});

it("ignores an analysis of another command: what is decided is the command that runs", async () => {
  const call = { tool: "Bash", input: { command: "rm -r src" }, analysis: analyseCommand("ls") };
  const { subject } = await locate(call, await policyFor("/repo"), async (path) => path);
  expect(subject).toMatchObject({ kind: "command", command: "rm -r src", analysis: { text: "rm -r src" } });
});
