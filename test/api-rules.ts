// What the Messages API refuses, as rules over the body of a request, taken from its public documentation and the types of its SDK, not
// from observation. Where these leave a question open, the stricter reading applies.
import { createHash } from "node:crypto";
import type { AssistantMessage, Message, ModelRequest, ToolResultBlock, UserMessage } from "../src/agent/ports/model.ts";

type Body = ModelRequest & Record<string, unknown>;
type Block = UserMessage["content"][number] | AssistantMessage["content"][number];
type Thought = Extract<AssistantMessage["content"][number], { type: "thinking" | "redacted_thinking" }>;

/** Thinking blocks that a server has sent, each with the content that preceded it. */
export type Issued = {
  /** Adds the thinking blocks of a reply to this request. */
  add(body: ModelRequest, content: AssistantMessage["content"]): void;
  /** What is wrong with this block here; undefined if it is unchanged and in its original place. */
  problem(thought: Thought, before: string): string | undefined;
};

/** The first rule that the request breaks, as the message of an `invalid_request_error`. */
export function brokenRule(body: ModelRequest, issued?: Issued): string | undefined {
  const whole = body as Body;
  for (const rule of rules) {
    const broken = rule(whole);
    if (broken) return broken;
  }
  return issued && thoughtsAsIssued(body, issued);
}

const rules: ((body: Body) => string | undefined)[] = [
  knownFields,
  outputLimit,
  rolesAlternate,
  contentsAreThere,
  blocksAreWhole,
  endsInUser,
  callsAreAnswered,
  toolsAreNamed,
  fewMarks,
  thinkingFits,
  thoughtsStandWell,
  mediaFit,
  charactersAreWhole,
];

const fields = new Set(
  "model max_tokens system tools messages stream thinking output_config temperature top_p top_k tool_choice metadata stop_sequences".split(
    " ",
  ),
);

function knownFields(body: Body): string | undefined {
  const extra = Object.keys(body).find((key) => !fields.has(key));
  if (extra) return `${extra}: Extra inputs are not permitted`;
  return typeof body.model === "string" && body.model !== "" ? undefined : "model: String should have at least 1 character";
}

function outputLimit({ model, max_tokens: limit }: Body): string | undefined {
  if (!Number.isInteger(limit) || limit < 1) return "max_tokens: Input should be greater than or equal to 1";
  const most = /^claude-opus-4(?:-1)?(?:-\d{8})?$/.test(model) ? 32_000 : 128_000;
  return limit > most ? `max_tokens: ${limit} > ${most}, which is the maximum allowed number of output tokens for ${model}` : undefined;
}

function rolesAlternate({ messages }: Body): string | undefined {
  if (messages.length === 0) return "messages: at least one message is required";
  const at = messages.findIndex(({ role }, n) => role !== (n % 2 === 0 ? "user" : "assistant"));
  return at < 0 ? undefined : `messages.${at}: roles must alternate between "user" and "assistant", beginning with "user"`;
}

function contentsAreThere({ messages, system }: Body): string | undefined {
  const empty = messages.findIndex(({ content }) => content.length === 0);
  if (empty >= 0) return `messages.${empty}: all messages must have non-empty content`;
  const blank = [...system, ...messages.flatMap(({ content }) => content.flatMap(textsIn))].find(({ text }) => text.trim() === "");
  if (!blank) return undefined;
  return blank.text === ""
    ? "messages: text content blocks must be non-empty"
    : "messages: text content blocks must contain non-whitespace text";
}

function textsIn(block: Block): { text: string }[] {
  if (block.type === "text") return [block];
  return block.type === "tool_result" && Array.isArray(block.content)
    ? block.content.flatMap((one) => (one.type === "text" ? [one] : []))
    : [];
}

/** The keys of each block; those with a question mark may be missing. */
const shapes: Record<string, string[]> = {
  text: ["type", "text", "cache_control?"],
  image: ["type", "source", "cache_control?"],
  document: ["type", "source", "cache_control?"],
  tool_result: ["type", "tool_use_id", "content?", "is_error?", "cache_control?"],
  tool_use: ["type", "id", "name", "input", "cache_control?"],
  thinking: ["type", "thinking", "signature"],
  redacted_thinking: ["type", "data"],
};
const kinds = { user: ["text", "image", "document", "tool_result"], assistant: ["text", "tool_use", "thinking", "redacted_thinking"] };

function blocksAreWhole({ messages }: Body): string | undefined {
  for (const [n, { role, content }] of messages.entries()) {
    for (const [at, block] of (content as Block[]).entries()) {
      const where = `messages.${n}.content.${at}`;
      const shape = kinds[role].includes(block.type) ? shapes[block.type] : undefined;
      if (!shape) return `${where}: Input tag '${block.type}' does not match any of the expected tags`;
      const extra = Object.keys(block).find((key) => !shape.includes(key) && !shape.includes(`${key}?`));
      if (extra) return `${where}.${block.type}.${extra}: Extra inputs are not permitted`;
      const missing = shape.find((key) => !key.endsWith("?") && !(key in block));
      if (missing) return `${where}.${block.type}.${missing}: Field required`;
      if (block.type === "tool_use" && (typeof block.input !== "object" || block.input === null || Array.isArray(block.input)))
        return `${where}.tool_use.input: Input should be a valid dictionary`;
    }
  }
  return undefined;
}

function endsInUser({ messages }: Body): string | undefined {
  return messages.at(-1)?.role === "user"
    ? undefined
    : "This model does not support assistant message prefill. The conversation must end with a user message.";
}

/** Each call has its result at the beginning of the next message, and each result its call in the message before. */
function callsAreAnswered({ messages }: Body): string | undefined {
  const known = new Set<string>();
  for (const [n, { content }] of messages.entries()) {
    const calls = idsOfCalls(messages[n - 1]);
    const results = (content as Block[]).filter((block) => block.type === "tool_result");
    const unknown = results.find(({ tool_use_id: id }) => !calls.includes(id));
    if (unknown)
      return `messages.${n}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${unknown.tool_use_id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    const ids = results.map(({ tool_use_id: id }) => id);
    const unanswered = calls.filter((id) => !ids.includes(id));
    if (unanswered.length > 0)
      return `messages.${n - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered.join(", ")}.`;
    if (new Set(ids).size < ids.length) return `messages.${n}: each tool_use must have a single result`;
    if ((content as Block[]).slice(0, results.length).some(({ type }) => type !== "tool_result"))
      return `messages.${n}: \`tool_result\` blocks must come before all other content`;
    const mistaken = results.find((block) => block.is_error && hasMedia(block));
    if (mistaken) return `messages.${n}: all content must be type "text" if "is_error" is true`;
    for (const id of idsOfCalls(messages[n])) {
      if (known.has(id)) return `messages.${n}: \`tool_use\` ids must be unique`;
      if (!/^[\w-]+$/.test(id)) return `messages.${n}: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
      known.add(id);
    }
  }
  return undefined;
}

function idsOfCalls(message: Message | undefined): string[] {
  return message?.role === "assistant" ? message.content.flatMap((block) => (block.type === "tool_use" ? block.id : [])) : [];
}

function hasMedia({ content }: ToolResultBlock): boolean {
  return Array.isArray(content) && content.some(({ type }) => type !== "text");
}

function toolsAreNamed({ tools, messages }: Body): string | undefined {
  const names = tools.map(({ name }) => name);
  if (new Set(names).size < names.length) return "tools: Tool names must be unique.";
  const used = messages.flatMap(({ content }) => (content as Block[]).flatMap((block) => (block.type === "tool_use" ? block.name : [])));
  const odd = [...names, ...used].find((name) => !/^[\w-]{1,128}$/.test(name));
  if (odd !== undefined) return `tools: "${odd}": String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
  const shapeless = tools.findIndex(({ input_schema: schema }) => schema["type"] !== "object");
  if (shapeless >= 0) return `tools.${shapeless}.custom.input_schema.type: Input should be 'object'`;
  const combined = tools.findIndex(({ input_schema: schema }) => ["oneOf", "allOf", "anyOf"].some((key) => key in schema));
  return combined < 0
    ? undefined
    : `tools.${combined}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
}

function fewMarks({ system, tools, messages }: Body): string | undefined {
  const inner = messages.flatMap(({ content }) => content as Block[]);
  const results = inner.flatMap((block) => (block.type === "tool_result" && Array.isArray(block.content) ? block.content : []));
  const marked = [...system, ...tools, ...inner, ...results].filter((block) => "cache_control" in block);
  return marked.length > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.` : undefined;
}

/** Which thinking settings each model accepts: https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting */
function thinkingFits({ model, thinking, output_config: output, max_tokens: limit, ...body }: Body): string | undefined {
  const version = Number(
    /-(\d)(?:-(\d)(?!\d))?/
      .exec(model)
      ?.slice(1)
      .map((part) => part ?? "0")
      .join(".") ?? Number.NaN,
  );
  const type = thinking?.type;
  const unsupported = `"thinking.type.${type}" is not supported for this model`;
  if (thinking?.type === "enabled") {
    if (version >= 4.7) return `${unsupported}. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`;
    if (thinking.budget_tokens < 1024) return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
    if (thinking.budget_tokens >= limit) return "`max_tokens` must be greater than `thinking.budget_tokens`";
  }
  if (thinking?.type === "adaptive" && ("budget_tokens" in thinking || version < 4.6)) return unsupported;
  if (type === "disabled" && /fable|mythos|opus-5-5|sonnet-5-5/.test(model)) return unsupported;
  if (type === "between_tools" && !model.includes("sonnet-5-5")) return unsupported;
  if (output && version < 4.5) return "output_config.effort: This model does not support the effort parameter.";
  const isOn = type === "enabled" || type === "adaptive";
  if (isOn && body["temperature"] !== undefined && body["temperature"] !== 1)
    return "`temperature` may only be set to 1 when thinking is enabled.";
  const choice = body["tool_choice"] as { type?: string } | undefined;
  return isOn && (choice?.type === "any" || choice?.type === "tool")
    ? "Thinking may not be enabled when tool_choice forces tool use."
    : undefined;
}

const isThought = (block: Block | undefined): block is Thought => block?.type === "thinking" || block?.type === "redacted_thinking";

function thoughtsStandWell({ messages, thinking }: Body): string | undefined {
  for (const [n, message] of messages.entries()) {
    if (message.role === "user") continue;
    if (isThought(message.content.at(-1))) return `messages.${n}: The final block in an assistant message cannot be \`thinking\`.`;
    const unsigned = message.content.find((block) => block.type === "thinking" && block.signature === "");
    if (unsigned) return `messages.${n}: Invalid \`signature\` in \`thinking\` block`;
  }
  const last = messages.findLast(({ role }) => role === "assistant");
  const isInTurn = idsOfCalls(last).length > 0;
  return thinking?.type === "enabled" && isInTurn && !isThought(last?.content[0])
    ? `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${last?.content[0]?.type}\`.`
    : undefined;
}

function charactersAreWhole(body: Body): string | undefined {
  return wholeText(body) ? undefined : "The request body is not valid JSON: no low surrogate in string";
}

function wholeText(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return typeof value !== "object" || value === null || Object.values(value).every(wholeText);
}

const magic: Record<string, RegExp> = {
  "image/png": /^\x89PNG/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/gif": /^GIF8/,
  "image/webp": /^RIFF.{4}WEBP/s,
  "application/pdf": /%PDF-/,
};

function mediaFit(body: Body): string | undefined {
  const blocks = body.messages.flatMap(({ content }) => (content as Block[]).flatMap(mediaOf));
  const images = blocks.filter(({ type }) => type === "image");
  if (images.length > 100) return "messages: too many images and documents";
  const mostPixels = images.length > 20 ? 2_000 : 8_000;
  for (const { type, source } of blocks) {
    const begins = magic[source.media_type];
    if (!begins || (type === "document") !== (source.media_type === "application/pdf"))
      return `messages: source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
    // Tests single characters: a repeated class over megabytes overflows the stack of the regular expression engine.
    if (source.data === "" || /[^A-Za-z0-9+/]/.test(source.data.replace(/={1,2}$/, "")))
      return "messages: source.base64.data: Invalid base64 data";
    if (type === "image" && source.data.length > 5 * 1024 * 1024) return "messages: image exceeds 5 MB maximum";
    const bytes = Buffer.from(source.data, "base64");
    if (!begins.test(bytes.toString("latin1", 0, 1024)))
      return type === "document" ? "messages: The PDF specified was not valid." : "messages: Could not process image";
    if (type === "document" && !/\/Type\s*\/(?:Page|ObjStm)/.test(bytes.toString("latin1")))
      return "messages: The PDF specified was not valid.";
    if (source.media_type === "image/png" && Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) > mostPixels)
      return images.length > 20
        ? "messages: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels"
        : "messages: At least one of the image dimensions exceed max allowed size: 8000 pixels";
  }
  return Buffer.byteLength(JSON.stringify(body)) > 32 * 1024 * 1024 ? "Request exceeds the maximum size" : undefined;
}

function mediaOf(block: Block): Extract<Block, { source: unknown }>[] {
  if (block.type === "image" || block.type === "document") return [block];
  return block.type === "tool_result" && Array.isArray(block.content)
    ? block.content.flatMap((one) => (one.type === "text" ? [] : [one]))
    : [];
}

/** Applies to every model the rule of those with preserved thinking, which is the strictest. */
function thoughtsAsIssued(body: ModelRequest, issued: Issued): string | undefined {
  for (const [n, message] of body.messages.entries()) {
    if (message.role === "user" || !message.content.some(isThought)) continue;
    for (const [at, block] of message.content.entries()) {
      const problem = isThought(block) ? issued.problem(block, prefixOf(body, { message: n, block: at })) : undefined;
      if (problem) return `messages.${n}.content.${at}: ${problem}`;
    }
  }
  return undefined;
}

export function issuedThoughts(): Issued {
  const known = new Map<string, { thought: string; prefix: string }>();
  const keyOf = (thought: Thought) => (thought.type === "thinking" ? thought.signature : thought.data);
  return {
    add(body, content) {
      const after = { ...body, messages: [...body.messages, { role: "assistant" as const, content }] };
      for (const [at, block] of content.entries()) {
        if (!isThought(block)) continue;
        const prefix = prefixOf(after, { message: body.messages.length, block: at });
        known.set(`${keyOf(block)} ${prefix}`, { thought: JSON.stringify(block), prefix });
      }
    },
    problem(thought, before) {
      const found = [...known].filter(([key]) => key.startsWith(`${keyOf(thought)} `)).map(([, one]) => one);
      if (found.length === 0) return "Invalid `signature` in `thinking` block";
      if (!found.some((one) => one.thought === JSON.stringify(thought)))
        return "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.";
      return found.some(({ prefix }) => prefix === before)
        ? undefined
        : "`thinking` block was produced for another conversation: what stands before it has changed.";
    },
  };
}

/** The system prompt, the tools and everything before that block, without cache marks. */
function prefixOf({ system, tools, messages }: ModelRequest, { message, block }: { message: number; block: number }): string {
  const before = [...messages.slice(0, message), { role: "assistant", content: messages[message]?.content.slice(0, block) }];
  const json = JSON.stringify([system, tools, before], (key, value) => (key === "cache_control" ? undefined : value));
  return createHash("sha256").update(json).digest("hex");
}
