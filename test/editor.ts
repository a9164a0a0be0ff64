// An editor for tests: it starts `tool acp`, speaks the Agent Client Protocol with it, and holds every message that it gets against the protocol's
// own schema, with every name in it.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { eventually } from "./scratch.ts";
import { type Place, tool } from "./team-kit.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a test looks for in a message is what it asserts
export type Message = Record<string, any>;

export type Editor = {
  pid: number;
  /** Everything that came, in order. */
  messages: Message[];
  stderr(): string;
  /** Sends a line as it is. */
  write(line: string): void;
  request(method: string, params: unknown): Promise<Message>;
  notify(method: string, params: unknown): void;
  /** A request that is answered later. */
  begin(method: string, params: unknown): { id: number; answer: Promise<Message> };
  /** The updates of a session so far, of this kind. */
  updates(kind: string, session?: string): Message[];
  /** The text that the agent has said in the session. */
  said(session?: string): string;
  /** Closes standard input. */
  leave(): void;
  ended: Promise<{ code: number | null; signal: string | null }>;
};

export type EditorOptions = {
  args?: string[];
  env?: Record<string, string>;
  capabilities?: unknown;
  /** Answers a request of the agent; undefined: never. By default the first option is taken. */
  answer?: (request: Message) => unknown;
  /** The command line that starts it; by default the built program itself. */
  command?: string[];
};

export async function startEditor(place: Place, options: EditorOptions = {}): Promise<Editor> {
  const editor = connect(place, options);
  const { result } = await editor.request("initialize", { protocolVersion: 1, clientCapabilities: options.capabilities ?? {} });
  if (!result) throw new Error("There was no answer to initialize");
  return editor;
}

/** Before initialize. */
export function connect(place: Place, { args = [], env, answer = firstOption, command = tool }: EditorOptions): Editor {
  const [program = "", ...words] = [...command, "acp", ...args];
  const child = spawn(program, words, { env: { ...place.env, ...env }, cwd: place.folder });
  onTestFinished(() => void child.kill("SIGKILL"));
  const messages: Message[] = [];
  const asked = new Map<number, string>();
  let rest = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => {}); // some tests are about a program that ends
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) receive(JSON.parse(line));
  });
  const send = (message: Message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const receive = (message: Message) => {
    messages.push(message);
    assertProtocol(message, asked.get(message["id"]));
    if (!message["method"] || message["id"] === undefined) return;
    const result = answer(message);
    if (result !== undefined) send({ id: message["id"], result });
  };
  let last = 0;
  const begin: Editor["begin"] = (method, params) => {
    const id = ++last;
    asked.set(id, method);
    send({ id, method, params });
    return { id, answer: eventually(() => messages.find((message) => message["id"] === id && !message["method"])) };
  };
  const updates: Editor["updates"] = (kind, session) =>
    messages.flatMap(({ method, params }) =>
      method === "session/update" && params.update.sessionUpdate === kind && (session ?? params.sessionId) === params.sessionId
        ? [params.update]
        : [],
    );
  return {
    pid: child.pid ?? 0,
    messages,
    stderr: () => stderr,
    write: (line) => void child.stdin.write(`${line}\n`),
    request: (method, params) => begin(method, params).answer,
    notify: (method, params) => void send({ method, params }),
    begin,
    updates,
    said: (session) =>
      updates("agent_message_chunk", session)
        .map(({ content }) => content.text)
        .join(""),
    leave: () => void child.stdin.end(),
    ended: new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal }))),
  };
}

export const text = (value: string) => [{ type: "text", text: value }];

/** Takes the option that is called so, or else the first whose name has these words. */
export const option =
  (words = "") =>
  ({ params }: Message) => {
    const options: Message[] = params.options;
    const taken = options.find(({ name }) => name === words) ?? options.find(({ name }) => name.includes(words));
    return { outcome: { outcome: "selected", optionId: taken?.["optionId"] } };
  };

const firstOption = option();

type Schema = Record<string, unknown> & { properties?: Record<string, unknown> };
const schemaText = readFileSync("node_modules/@agentclientprotocol/sdk/schema/v1/schema.json", "utf8");
/** Without what says only that later versions may have other variants. */
const schema: { $defs: Record<string, Schema> } = JSON.parse(schemaText, (name, value) =>
  name === "not" || name === "unevaluatedProperties" ? undefined : value,
);
const parsers = new Map<string, z.ZodType>();

/** Throws for a message that the protocol does not know. `asked`: the method that it answers. */
function assertProtocol(message: Message, asked: string | undefined): void {
  const { jsonrpc, id, method, params, result, error } = message;
  if (jsonrpc !== "2.0") throw new Error(`No message of the protocol: ${JSON.stringify(message)}`);
  if (method) assertFits(definitionOf(method, id === undefined ? "Notification" : "Request"), params);
  else if (error) assertFits("Error", error);
  else if (id === undefined || asked === undefined) throw new Error(`Nobody asked for ${JSON.stringify(message)}`);
  else assertFits(definitionOf(asked, "Response"), result);
}

function definitionOf(method: string, kind: "Request" | "Response" | "Notification"): string {
  const found = Object.entries(schema.$defs).find(([name, one]) => one["x-method"] === method && name.endsWith(kind));
  if (!found) throw new Error(`The protocol has no ${kind.toLowerCase()} ${method}`);
  return found[0];
}

function assertFits(definition: string, value: unknown): void {
  const parser = parsers.get(definition) ?? z.fromJSONSchema({ ...schema.$defs[definition], $defs: schema.$defs } as never);
  parsers.set(definition, parser);
  const read = parser.safeParse(value);
  if (!read.success) throw new Error(`No ${definition}: ${JSON.stringify(value)}\n${z.prettifyError(read.error)}`);
  const unknown = namesIn(value).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`A ${definition} has no ${unknown.join(", ")}: ${JSON.stringify(value)}`);
}

/** A schema allows further names, so that later versions can add some: ours are all in this one. */
const known = new Set(namesBelow(schema.$defs));

function namesBelow(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties } = value as Schema;
  return [...Object.keys(properties ?? {}), ...Object.values(value).flatMap(namesBelow)];
}

const free = ["rawInput", "rawOutput", "requestedSchema", "data"];

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [name, ...(free.includes(name) ? [] : namesIn(one))]);
}
