// Prints `tool agents list` and `tool agents show`.

import { nearPath } from "../../app/controls/near-path.ts";
import { fitted } from "../../app/print/fitted.ts";
import { styleOf } from "../../app/print/print-reply.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import { aligned, cell } from "../../screen/table.ts";
import { visibleLine, visibleText } from "../../screen/visible-text.ts";
import { trustWays } from "../../settings/trust.ts";
import { builtInAgents } from "../../subagents/definitions/built-in.ts";
import type { Definition } from "../../subagents/definitions/definition.ts";
import { mistakeLine } from "../../subagents/definitions/definition.ts";
import { type Definitions, definitionFolders, loadDefinitions, scopeWords } from "../../subagents/definitions/definitions.ts";
import { plural } from "../../wording/figures.ts";
import { nearestName } from "../../wording/nearest-name.ts";

type Flags = { json?: boolean; trust?: boolean };

export async function listAgents(world: World, { json, trust }: Flags): Promise<ExitCode> {
  const definitions = await definitionsHere(world, { trust });
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, agents: definitions.list.map(asJson), ...rest(definitions) })}\n`);
  else world.stdout.write(`${await fitted(world.stdout, listText(world, definitions))}\n`);
  return 0;
}

export async function showAgent(world: World, name: string, { json, trust }: Flags): Promise<ExitCode> {
  const definitions = await definitionsHere(world, { trust });
  const { list } = definitions;
  const definition = list.find((one) => one.name === name);
  if (!definition) throw new UsageError(`cannot show the agent "${name}": ${whyUnknown(name, definitions)}`);
  world.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, agent: { ...asJson(definition), prompt: definition.prompt } })}\n`
      : `${wholeText(world, definition)}\n`,
  );
  return 0;
}

/** The definitions that apply in the working directory, as far as its settings are trusted. */
export async function definitionsHere(world: World, flags: { trust?: boolean }): Promise<Definitions & { ways: string }> {
  const settings = await openSettings(world, flags);
  const files = await world.edges.definitions();
  const folders = definitionFolders({ root: settings.root, configDir: world.configDir });
  const builtIn = builtInAgents(settings.effective.agentModels);
  const definitions = await loadDefinitions(files, { folders, trusted: settings.trust.state === "trusted", builtIn });
  return { ...definitions, ways: trustWays(settings) };
}

function whyUnknown(name: string, { list, untrusted, ways }: Definitions & { ways: string }): string {
  const near = nearestName(
    name,
    list.map((one) => one.name),
  );
  const waiting = untrusted.length > 0 ? ` ${waitingWords(untrusted, ways)}` : "";
  return `no definition has this name.${near ? ` Did you mean "${near}"?` : " To list them: tool agents list."}${waiting}`;
}

const waitingWords = ({ length }: string[], ways: string) =>
  `${plural(length, "definition")} of this project ${length === 1 ? "is" : "are"} not loaded before you trust the project: ${ways}.`;

const rest = ({ mistakes, untrusted }: Definitions) => ({ mistakes, untrusted });

function asJson({ disallowedTools, maxTurns, permissionMode, mcpServers, ...definition }: Definition) {
  return {
    ...definition,
    prompt: undefined,
    disallowed_tools: disallowedTools,
    max_turns: maxTurns ?? null,
    permission_mode: permissionMode ?? null,
    mcp_servers: mcpServers ?? null,
  };
}

function listText(world: World, definitions: Definitions & { ways: string }): string {
  const style = styleOf(world);
  const rows = definitions.list.map(({ name, model, scope, description }) => [
    cell(visibleLine(name), style.bold),
    cell(visibleLine(model)),
    cell(scopeWords[scope], style.dim),
    cell(visibleLine(firstSentence(description))),
  ]);
  const own = definitions.list.some(({ scope }) => scope !== "built-in");
  const how = `How to write one of your own: ${world.command} agents --help`;
  return [
    ...aligned(rows),
    ...(own ? [] : [how]),
    ...definitions.mistakes.map((mistake) => visibleLine(mistakeLine({ ...mistake, file: nearPath(world.cwd, mistake.file) }))),
    ...(definitions.untrusted.length > 0
      ? [
          waitingWords(definitions.untrusted, definitions.ways),
          ...definitions.untrusted.map((file) => `  ${visibleLine(nearPath(world.cwd, file))}`),
        ]
      : []),
  ].join("\n");
}

const longestDescription = 100;

function firstSentence(description: string): string {
  const line = description.replaceAll(/\\n|\s+/g, " ");
  return line.length > longestDescription ? `${line.slice(0, longestDescription).toWellFormed()}…` : line;
}

function wholeText(world: World, definition: Definition): string {
  const { name, description, prompt, scope, file, tools, disallowedTools, skills, mcpServers = [], ...keys } = definition;
  const lists = { "not allowed": disallowedTools, skills, "MCP servers": mcpServers };
  const facts = [
    `tools: ${tools ? tools.join(", ") || "none" : "all that its parent has"}`,
    ...Object.entries(lists).flatMap(([key, list]) => (list.length > 0 ? [`${key}: ${list.join(", ")}`] : [])),
    ...Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`])),
    `file: ${file ? nearPath(world.cwd, file) : scopeWords[scope]}`,
  ];
  return visibleText([name, description, "", ...facts, "", prompt].join("\n"));
}
