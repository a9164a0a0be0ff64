// What a server of the Messages API may lack: it is found out by its refusals, and from then on not asked for. The provider's own API has all of it.
import type { AssistantMessage, CacheControl, Message, Model, ModelFault, ModelOutcome, ModelRequest, TextBlock } from "../ports/model.ts";
import { isThought } from "../ports/model.ts";
import { lackingAbility } from "../prompt.ts";

export type Ability = "cacheMarks" | "thinking" | "media";

/** A model whose refused abilities are left out: in the same attempt, so that no request is lost, and in all later ones of this process. */
export function withAbilities(model: Model): Model {
  const lacking = new Set<Ability>();
  return {
    async attempt(request, options) {
      for (;;) {
        const asked = without(request, lacking);
        const outcome = await model.attempt(asked, options);
        const refused = options.signal.aborted ? [] : refusedBy(outcome, asked);
        if (refused.length === 0) return outcome;
        for (const ability of refused) {
          if (!lacking.has(ability)) options.onNotice?.(lackingAbility(ability));
          lacking.add(ability);
        }
      }
    },
  };
}

const words: Record<Ability, RegExp> = {
  cacheMarks: /cache_control|prompt caching/i,
  thinking: /thinking|output_config|reasoning|\beffort\b/i,
  media: /\b(?:image|document|pdf|vision|multimodal|mmproj)s?\b/i,
};

/** As frameworks and servers say that they do not know or cannot do something. A bad value or a bad image is another matter. */
const lacks =
  /(?:not|n't) (?:currently )?(?:support|allow|permit|implement|accept|enable|available)|unsupported|unknown (?:field|parameter|key)|unrecognized|unexpected (?:field|key|keyword)|extra[_ ](?:inputs|fields|forbidden)|missing data required|cannot be (?:disabled|used)/i;

/** The abilities that the answer refuses and the request has asked for. */
function refusedBy(outcome: ModelOutcome, request: ModelRequest): Ability[] {
  if (outcome.kind !== "fault" || !isRefusal(outcome.fault) || !lacks.test(outcome.fault.reason)) return [];
  const { reason } = outcome.fault;
  return (Object.keys(words) as Ability[]).filter((ability) => words[ability].test(reason) && asksFor[ability](request));
}

/** Some servers call what they lack an error of their own. */
function isRefusal({ status }: ModelFault): boolean {
  return status !== undefined && [400, 404, 415, 422, 500, 501].includes(status);
}

const asksFor: Record<Ability, (request: ModelRequest) => boolean> = {
  cacheMarks: ({ system, tools, messages }) =>
    [...system, ...tools, ...messages.flatMap(({ content }) => content as object[])].some((block) => "cache_control" in block),
  thinking: ({ thinking, output_config, messages }) =>
    thinking !== undefined || output_config !== undefined || messages.some(({ content }) => content.some(isThought)),
  media: ({ messages }) => messages.some(({ content }) => content.some((block) => isMedia(block) || hasMedia(block))),
};

type Block = Message["content"][number];

const isMedia = ({ type }: { type: string }) => type === "image" || type === "document";
const hasMedia = (block: Block) => block.type === "tool_result" && typeof block.content !== "string" && block.content.some(isMedia);

function without(request: ModelRequest, lacking: ReadonlySet<Ability>): ModelRequest {
  let left = request;
  if (lacking.has("thinking")) left = withoutThinking(left);
  if (lacking.has("media")) left = withoutMedia(left);
  if (lacking.has("cacheMarks")) left = withoutMarks(left);
  return left;
}

function withoutThinking({ thinking: _thinking, output_config: _effort, ...request }: ModelRequest): ModelRequest {
  const spoken = ({ content }: AssistantMessage) => {
    const left = content.filter((block) => !isThought(block));
    return left.length > 0 ? left : [unsaid];
  };
  return {
    ...request,
    messages: request.messages.map((message) => (message.role === "assistant" ? { ...message, content: spoken(message) } : message)),
  };
}

const unsaid: TextBlock = { type: "text", text: "(Nothing was said.)" };
const leftOut: TextBlock = { type: "text", text: "(An image or a document, which your provider does not show you.)" };

function withoutMedia(request: ModelRequest): ModelRequest {
  const shown = (block: Block): Block => {
    if (isMedia(block)) return leftOut;
    if (block.type !== "tool_result" || typeof block.content === "string" || !hasMedia(block)) return block;
    return { ...block, content: block.content.map((inner) => (isMedia(inner) ? leftOut : inner)) };
  };
  return { ...request, messages: request.messages.map((message) => ({ ...message, content: message.content.map(shown) }) as Message) };
}

function withoutMarks(request: ModelRequest): ModelRequest {
  const bare = <T extends { cache_control?: CacheControl }>({ cache_control: _mark, ...block }: T) => block as T;
  return {
    ...request,
    system: request.system.map(bare),
    tools: request.tools.map(bare),
    messages: request.messages.map(
      (message) => ({ ...message, content: message.content.map((block) => ("cache_control" in block ? bare(block) : block)) }) as Message,
    ),
  };
}
