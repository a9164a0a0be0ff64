// Redaction at an agent's boundaries: results and messages lose their secrets, a placeholder is used only in its own file, and no command
// disables the hook that scans commits.
import { field } from "../../permissions/call.ts";
import { type Redactor, strangersReason } from "../../secrets/redaction/redactor.ts";
import type { ReadCommand } from "../ports/command-reader.ts";
import type { FilteredCall, OutboundFilter } from "../ports/outbound-filter.ts";

export function outboundFilter(redactor: Redactor, read: ReadCommand): OutboundFilter {
  const warned = new Set<string>();
  const told = new Set<string>();
  const clean = async (text: string) => (await redactor.text(text)).text;
  return {
    async call({ tool, input }): Promise<FilteredCall> {
      const strangers = ownWay.has(tool) ? [] : textsOf(input).flatMap(redactor.placeholdersIn);
      if (redactor.mode === "redact" && strangers.length > 0)
        return { ok: false, reason: `Cannot run ${tool} with this input: ${strangersReason(strangers)}.` };
      if (tool === "Bash" && (await takesHooksAway(field({ input }, "command") ?? "", read))) return { ok: false, reason: evasion };
      return { ok: true, input: stores(tool) ? await eachText(input, clean) : input };
    },
    text: clean,
    async reply(message) {
      const content = message.content.map(async (block) => {
        if (block.type === "text") return { ...block, text: await clean(block.text) };
        if (block.type === "thinking") return { ...block, thinking: await clean(block.thinking) };
        return block.type === "tool_use" ? { ...block, input: await eachText(block.input, clean) } : block;
      });
      return { ...message, content: await Promise.all(content) };
    },
    async result(result) {
      const { summary, detail } = result;
      const { text, kinds } = await redactor.text(result.text);
      const news = redactor.mode === "warn" ? [...new Set(kinds)].filter((kind) => !told.has(kind)) : [];
      for (const kind of news) told.add(kind);
      const clear = { ...result, text, summary: await clean(summary), ...(detail !== undefined && { detail: await clean(detail) }) };
      return { result: clear, notices: news.length > 0 ? [leftNotice(news)] : [] };
    },
    async inputs(inputs) {
      const notices: string[] = [];
      const screened = [];
      for (const input of inputs) {
        const typed = input.source.kind === "user" || (input.source.kind === "mail" && input.source.from === "user");
        const { text, kinds } = await redactor.text(input.text);
        const news = [...new Set(kinds)].filter((kind) => typed && !warned.has(kind));
        if (news.length > 0) notices.push(typedNotice(news));
        for (const kind of news) warned.add(kind);
        screened.push(typed ? input : { ...input, text, ...(input.shown !== undefined && { shown: await clean(input.shown) }) });
      }
      return { inputs: screened, notices };
    },
  };
}

/** The shell grammar is loaded only for a command that mentions git. */
async function takesHooksAway(command: string, read: ReadCommand): Promise<boolean> {
  if (!command.includes("git")) return false;
  const { evadesHooks } = await import("../../shell/uses/git-reach.ts");
  return evadesHooks(await read(command));
}

const evasion =
  "Nothing was run, because the command changes which hooks git runs, or the settings that it gets here (core.hooksPath, GIT_CONFIG_…, env -i). By them commits are looked through for secrets, and hidden files are not printed. Leave that out; to skip the repository's own hooks before a commit, use --no-verify.";

/** The file tools restore placeholders themselves, or refuse them. */
const ownWay = new Set(["Write", "Edit"]);

/** These act on their input as it is, on this machine. Any other tool stores it for agents or people, or passes it on to a server. */
const acting = new Set("Read Write Edit Glob Grep Bash WebFetch".split(" "));

const stores = (tool: string) => !acting.has(tool);

function leftNotice(kinds: string[]): string {
  return `A result seems to hold a secret (${kinds.join(", ")}). It is sent to the provider unchanged, because the settings say "secrets": "warn".`;
}

function typedNotice(kinds: string[]): string {
  return `What you wrote seems to hold a secret (${kinds.join(", ")}). It is sent to the provider as you wrote it. To keep it on this machine, put it into an environment variable or a file and name that instead.`;
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

async function eachText(value: unknown, change: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => eachText(item, change)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await eachText(item, change)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
