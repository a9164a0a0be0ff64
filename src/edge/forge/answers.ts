// What an answer of a forge's REST API means for a batch, whichever forge it is: a value, or a refusal with what to do.
import type { z } from "zod";
import type { ForgeAnswer, ForgeError } from "../../batch/forge.ts";
import { withoutCredentials } from "../git/remote-address.ts";
import type { ForgeResponse } from "./transport.ts";

/** What differs in messages. `wrongToken` and `needs` are sentences that say what to do after a 401 and a 403. */
export type Dialect = { product: string; wrongToken: string; needs: string };

export type Reading<T> = { shape: z.ZodType<T>; doing: string; now: () => number; dialect: Dialect };

/** Reads the answer to one request. `doing`: what it was for, as in "Cannot <doing>: …". */
export function readAnswer<T>(response: ForgeResponse, { shape, doing, now, dialect }: Reading<T>): ForgeAnswer<T> {
  if (response.kind === "silent") return refused("network", `Cannot ${doing}: ${response.reason}.`);
  if (response.status >= 200 && response.status < 300) {
    const found = shape.safeParse(response.body);
    return found.success
      ? { ok: true, value: found.data }
      : refused("server", `Cannot ${doing}: it is not an answer of ${dialect.product}'s API.`);
  }
  return { ok: false, error: errorOf(response, { doing, now, dialect }) };
}

type Refusal = Exclude<ForgeError["kind"], "rate_limit">;
export const refused = (kind: Refusal, reason: string) => ({ ok: false, error: { kind, reason } }) as const;

type Answer = Extract<ForgeResponse, { kind: "answer" }>;

function errorOf(answer: Answer, { doing, now, dialect }: Omit<Reading<unknown>, "shape">): ForgeError {
  const { status } = answer;
  const said = messageOf(answer.body);
  const reason = withoutCredentials(`Cannot ${doing}: ${dialect.product} answers ${status}${said ? ` (${said})` : ""}`);
  if (status === 429 || (status === 403 && isRateLimit(answer, said))) {
    const waitMs = waitOf(answer, now());
    return { kind: "rate_limit", waitMs, reason: `${reason}. It takes requests again at ${new Date(now() + waitMs).toISOString()}.` };
  }
  if (status === 401) return { kind: "auth", reason: `${reason}. ${dialect.wrongToken}` };
  if (status === 403) return { kind: "auth", reason: `${reason}. ${dialect.needs}` };
  if (status === 404) return { kind: "not_found", reason: `${reason}. It does not exist, or this login may not see it.` };
  if (status >= 300 && status < 400)
    return { kind: "not_found", reason: `${reason}. The repository has moved: set the remote to its new address.` };
  if (status >= 500) return { kind: "server", reason: `${reason}.` };
  return { kind: "invalid", reason: `${reason}.` };
}

const isRateLimit = (answer: Answer, said: string) =>
  limitHeader(answer, "remaining") === "0" || answer.header("retry-after") !== undefined || /rate limit/i.test(said);

/** GitHub writes x-ratelimit-reset, GitLab ratelimit-reset. */
const limitHeader = ({ header }: Answer, name: string) => header(`x-ratelimit-${name}`) ?? header(`ratelimit-${name}`);

/**
 * https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api: `retry-after` first, then the reset time, else a minute.
 * The reset time is the forge's, and so is the date of its answer: a wrong clock here changes nothing.
 */
function waitOf(answer: Answer, now: number): number {
  const after = Number(answer.header("retry-after"));
  if (answer.header("retry-after") !== undefined && Number.isFinite(after)) return Math.max(0, after) * 1000;
  const reset = Number(limitHeader(answer, "reset"));
  if (limitHeader(answer, "remaining") !== "0" || !(reset > 0)) return 60_000;
  return Math.max(0, reset * 1000 - (Date.parse(answer.header("date") ?? "") || now));
}

/** The forge's error message, on one line: GitHub and Gitea write texts and lists of faults, GitLab lists, or lists by the name of a field. */
export function messageOf(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  const { message, error, errors } = body as Record<string, unknown>;
  return [message, error, errors].flatMap(textsIn).join("; ").replace(/\s+/g, " ").slice(0, 500);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  const { message, field, code, ...fields } = value as Record<string, unknown>;
  if (typeof message === "string") return [message];
  if (typeof field === "string" || typeof code === "string") return [[field, code].filter((text) => typeof text === "string").join(" is ")];
  return Object.entries(fields).flatMap(([name, inner]) => textsIn(inner).map((text) => `${name}: ${text}`));
}
