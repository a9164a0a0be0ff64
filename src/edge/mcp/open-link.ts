// Opens the connection to one server, over stdio or streamable HTTP, and turns what goes wrong into the faults that the port names.

import { pathToFileURL } from "node:url";
import type { Client as ProtocolClient, RequestOptions, Transport } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { RawCatalog } from "../../mcp/catalog.ts";
import type { CallOptions, Link, LinkFault, LinkOrder } from "../../mcp/link.ts";
import type { Server } from "../../mcp/server.ts";
import { errorText } from "../../wording/error-text.ts";
import { type CallLimit, callLimit } from "./call-limit.ts";
import { fault } from "./fault.ts";
import { httpTransport } from "./http.ts";
import { Client, ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "./sdk.ts";
import { stdioTransport } from "./stdio.ts";

declare const TOOL_VERSION: string | undefined;

/** Never used: the limits are ours. */
const noTimeout = 2 ** 31 - 1;
const anything = z.looseObject({});

/** `why`: what the transport knows of its end. */
type Opened = { transport: Transport; why(): string | undefined };

/** Rejects with a LinkFault, once nothing of the server is left. */
export async function openLink(order: LinkOrder, signal: AbortSignal): Promise<Link> {
  const { server, startMs, events } = order;
  const opened = transportFor(order);
  const limits = new Set<CallLimit>();
  const client = new Client(
    { name: "tool", version: typeof TOOL_VERSION === "string" ? TOOL_VERSION : "0" },
    { capabilities: { roots: {}, elicitation: { form: {} } } },
  );
  answerRequests(client, order, limits);
  let isOpen = false; // before that, the start fails and says why
  client.onclose = () => {
    if (isOpen) events.onLost(opened.why() ?? "closed the connection");
    isOpen = false;
  };
  const limit = callLimit(startMs);
  const link = linkTo(client, { order, opened, limits });
  try {
    const options = optionsFor(limit, signal);
    await Promise.race([client.connect(opened.transport, options), aborted(options.signal)]);
    isOpen = true;
    return link;
  } catch (error) {
    const late = `did not start within ${startMs / 1000} s`;
    const failed = faultOf(error, { why: opened.why(), signal, limit, late, name: order.name, server });
    await link.close();
    throw failed;
  } finally {
    limit.end();
  }
}

function transportFor({ server, cwd, env, owner, name, configDir }: LinkOrder): Opened {
  if (server.kind === "http") return { transport: httpTransport({ server, name, configDir }), why: () => undefined };
  const transport = stdioTransport({ server, cwd, env, owner });
  return { transport, why: transport.why };
}

/** What a server may ask of us: where it works, and a question to the person. It gets no model. */
function answerRequests(client: ProtocolClient, { cwd, events }: LinkOrder, limits: ReadonlySet<CallLimit>): void {
  client.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(cwd).href }] }));
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq: { signal } }) => {
    if (!("requestedSchema" in params)) return { action: "decline" };
    for (const limit of limits) limit.pause();
    try {
      return await events.onForm(params, signal);
    } finally {
      for (const limit of limits) limit.resume();
    }
  });
  client.setNotificationHandler("notifications/tools/list_changed", () => events.onChanged());
}

type Parts = { order: LinkOrder; opened: Opened; limits: Set<CallLimit> };

function linkTo(client: ProtocolClient, { order, opened, limits }: Parts): Link {
  const { callMs, startMs, name, server } = order;
  const ask = async (method: string, params: Record<string, unknown>, { ms, signal, onProgress }: CallOptions & { ms: number }) => {
    const limit = callLimit(ms);
    limits.add(limit);
    const onprogress = (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => {
      limit.renew();
      onProgress?.(progressText(progress));
    };
    const options = { ...optionsFor(limit, signal), ...(onProgress && { onprogress }) };
    try {
      return await Promise.race([client.request({ method, params }, anything, options), aborted(options.signal)]);
    } catch (error) {
      throw faultOf(error, { why: opened.why(), signal, limit, late: `did not answer within ${ms / 1000} s`, name, server });
    } finally {
      limit.end();
      limits.delete(limit);
    }
  };
  const all = async (method: string, key: string, signal: AbortSignal): Promise<unknown[]> => {
    const list: unknown[] = [];
    let cursor: unknown;
    for (let page = 0; page < mostPages; page++) {
      const answer = await ask(method, cursor === undefined ? {} : { cursor }, { ms: startMs, signal });
      if (Array.isArray(answer[key])) list.push(...(answer[key] as unknown[]));
      cursor = answer["nextCursor"];
      if (typeof cursor !== "string" || cursor === "") break;
    }
    return list;
  };
  return {
    async catalog(signal): Promise<RawCatalog> {
      const has = client.getServerCapabilities() ?? {};
      const maybe = (offered: unknown, method: string, key: string) =>
        offered === undefined ? [] : all(method, key, signal).catch((error: unknown) => noneIf(error));
      const [tools, prompts, resources, templates] = await Promise.all([
        has.tools === undefined ? [] : all("tools/list", "tools", signal),
        maybe(has.prompts, "prompts/list", "prompts"),
        maybe(has.resources, "resources/list", "resources"),
        maybe(has.resources, "resources/templates/list", "resourceTemplates"),
      ]);
      return { tools, prompts, resources, templates };
    },
    call: (tool, input, options) => ask("tools/call", { name: tool, arguments: input }, { onProgress: () => {}, ...options, ms: callMs }),
    prompt: (prompt, given, signal) => ask("prompts/get", { name: prompt, arguments: given }, { ms: callMs, signal }),
    resource: (uri, signal) => ask("resources/read", { uri }, { ms: callMs, signal }),
    async close() {
      client.onclose = undefined;
      await opened.transport.close().catch(() => {}); // a server that cannot be told is not waited for
    },
  };
}

const mostPages = 50;

function progressText({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}): string {
  return `${message ?? ""} ${progress}${total === undefined ? "" : `/${total}`}`.trim().concat("\n");
}

/** Only its tools are needed; a server that says no to another list has none. */
function noneIf(error: unknown): [] {
  if ((error as Partial<LinkFault>).fault === "answered") return [];
  throw error;
}

const optionsFor = (limit: CallLimit, signal: AbortSignal) =>
  ({ timeout: noTimeout, signal: AbortSignal.any([limit.signal, signal]) }) satisfies RequestOptions;

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = () => reject(new Error("aborted"));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

type Circumstances = { why: string | undefined; signal: AbortSignal; limit: CallLimit; late: string; name: string; server: Server };

function faultOf(error: unknown, { why, signal, limit, late, name, server }: Circumstances): LinkFault {
  if (error instanceof Error && "fault" in error) return error as LinkFault;
  if (signal.aborted) return fault("aborted", "was not waited for: the call was interrupted");
  if (limit.signal.aborted) return fault("late", late);
  if (needsLogin(error))
    return hasOwnToken(server) ? fault("refused", ownTokenRefused) : fault("login", `needs a login: tool mcp login ${name}`);
  if (error instanceof ProtocolError) return fault("answered", `answered with an error: ${error.message.slice(0, 2_000)}`);
  if (why !== undefined) return fault("lost", why);
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
    return fault("answered", "gave an answer that the protocol does not allow");
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  if (error instanceof SdkHttpError && server.kind === "http") return fault("lost", statusWords(error, server.url));
  const did = server.kind === "http" ? "could not be reached or did not answer as it should" : "closed the connection";
  return fault(
    "lost",
    error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed ? did : `${did}: ${errorText(error).slice(0, 500)}${cause}`,
  );
}

const hasOwnToken = (server: Server) => server.kind === "http" && Object.keys(server.headers).some((name) => /^authorization$/i.test(name));
const ownTokenRefused = "refuses what its entry sends as Authorization: is the token right, and has it the rights that are needed?";

/** An answer that is none of the protocol. */
function statusWords({ data: { status }, message }: SdkHttpError, url: string): string {
  const said = message
    .replace(/^[^:]*:\s*/, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 300);
  const { origin, pathname } = new URL(url); // its password and query may be secret
  const advice = [404, 405].includes(status) ? `. Is ${origin}${pathname} its address for streamable HTTP?` : "";
  return `could not be reached or did not answer as it should: HTTP ${status}${said === "" ? "" : `, ${said}`}${advice}`;
}

const needsLogin = (error: unknown) =>
  error instanceof UnauthorizedError || (error instanceof SdkHttpError && [401, 403].includes(error.data?.status ?? 0));
