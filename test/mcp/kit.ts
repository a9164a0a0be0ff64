// Connections of tests to servers that exist in memory only.
import type { RawCatalog } from "../../src/mcp/catalog.ts";
import type { ConfiguredServer } from "../../src/mcp/choose-servers.ts";
import { type ConnectionsOrder, openConnections } from "../../src/mcp/connections.ts";
import { type Link, linkFault } from "../../src/mcp/link.ts";

export const signal = new AbortController().signal;

export const rawTools = (...names: string[]): RawCatalog => ({
  tools: names.map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object", properties: { a: { type: "string" } } },
  })),
  prompts: [],
  resources: [],
  templates: [],
});

const configured = (name: string): ConfiguredServer => ({
  name,
  server: { kind: "stdio", command: name, args: [], env: {} },
  place: "user",
  file: "settings.json",
  line: 1,
  hides: [],
});

/** `offers`: by server; one without a list cannot be started. `started`: the names of servers in the order of their starts. */
export function inMemory(offers: Record<string, RawCatalog | undefined>, part: Partial<ConnectionsOrder> = {}) {
  const started: string[] = [];
  const connections = openConnections({
    configured: Object.keys(offers).map(configured),
    async open({ name }) {
      started.push(name);
      const raw = offers[name];
      if (!raw) throw linkFault("lost", "ended with exit code 1");
      const answer = async (text: string) => ({ content: [{ type: "text", text }] });
      return {
        catalog: async () => raw,
        call: (tool, input) => answer(`${tool} ${JSON.stringify(input)}`),
        prompt: async () => ({ messages: [] }),
        resource: async () => ({ contents: [] }),
        close: async () => {},
      } satisfies Link;
    },
    lists: { read: () => undefined, keep: () => {} },
    variables: () => ({}),
    env: {},
    cwd: "/repo",
    configDir: "/home/me/.tool",
    owner: "s:tool",
    startMs: 1,
    callMs: 1,
    ...part,
  });
  return { connections, started };
}
