// One request to a forge's REST API: by HTTP with a token, or by `gh api` with its login. answers.ts interprets the answers.
import { withoutCredentials } from "../git/remote-address.ts";
import { run } from "../processes/run.ts";
import { ifPossible } from "../system-error.ts";
import type { GitHubAddress } from "./forge-address.ts";

export type ForgeRequest = { method: "GET" | "POST"; path: string; body?: Record<string, unknown>; signal?: AbortSignal | undefined };

/** `body` is the parsed JSON, undefined if it was not JSON. `silent`: no answer, with a sentence that says why. */
export type ForgeResponse =
  | { kind: "answer"; status: number; header: (name: string) => string | undefined; body: unknown }
  | { kind: "silent"; reason: string };

export type Transport = (request: ForgeRequest) => Promise<ForgeResponse>;

const usualDeadlineMs = 30_000;
const mostBytes = 4 * 1024 * 1024;

/** `scheme`: before the token in the header. */
export type HttpLogin = { token: string; scheme?: "Bearer" | "token"; headers?: Record<string, string>; deadlineMs?: number };

export const gitHubHeaders = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };

export function httpTransport({ api, host }: { api: string; host: string }, login: HttpLogin): Transport {
  const { token, scheme = "Bearer", headers = { accept: "application/json" }, deadlineMs = usualDeadlineMs } = login;
  return async ({ method, path, body, signal }) => {
    try {
      const response = await fetch(`${api}${path}`, {
        method,
        headers: {
          ...headers,
          "user-agent": "tool",
          authorization: `${scheme} ${token}`,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: "manual", // following a redirect would give the token to an unknown server
        signal: AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(signal ? [signal] : [])]),
      });
      const text = await limited(response);
      return { kind: "answer", status: response.status, header: (name) => response.headers.get(name) ?? undefined, body: parsed(text) };
    } catch (error) {
      return { kind: "silent", reason: `${host} does not answer: ${causeOf(error, deadlineMs).replaceAll(token, "[hidden]")}` };
    }
  };
}

async function limited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function causeOf(error: unknown, deadlineMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `nothing within ${deadlineMs / 1000} s`;
  return withoutCredentials(error.cause instanceof Error ? error.cause.message || String(error.cause) : error.message);
}

/** `env`: includes the user's home, where gh keeps its login. */
export function ghTransport({ host }: GitHubAddress, env: Record<string, string>): Transport {
  return async ({ method, path, body, signal }) => {
    const args = ["api", "--include", "--method", method, path.slice(1), ...(body ? ["--input", "-"] : [])];
    const result = await run(["gh", ...args], {
      // as a variable, because --hostname does not accept a port
      env: { ...env, GH_HOST: host, GH_PROMPT_DISABLED: "1", NO_COLOR: "1", GH_NO_UPDATE_NOTIFIER: "1" },
      extendEnv: false,
      input: body ? JSON.stringify(body) : "",
      timeoutMs: usualDeadlineMs,
      signal,
    });
    const answer = /^HTTP\/[\d.]+ (?<status>\d{3})[^\n]*\n(?<headers>[\s\S]*?)\r?\n\r?\n(?<body>[\s\S]*)$/.exec(result.stdout)?.groups;
    if (!answer) {
      const said =
        result.failed ??
        (result.timedOut ? `nothing within ${usualDeadlineMs / 1000} s` : result.stderr.trim().split("\n")[0] || "it printed nothing");
      return { kind: "silent", reason: withoutCredentials(`gh got no answer from ${host}: ${said}`) };
    }
    const headers = new Map(
      answer["headers"]!.split(/\r?\n/).map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]),
    );
    return { kind: "answer", status: Number(answer["status"]), header: (name) => headers.get(name), body: parsed(answer["body"]!) };
  };
}

/** Undefined for a page for people, or a truncated answer. */
const parsed = (text: string) => ifPossible(() => JSON.parse(text) as unknown);
