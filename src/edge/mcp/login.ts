// A login by OAuth 2.1 with PKCE: the person agrees in a browser, which is sent to a listener of ours on loopback, or pastes where it was sent to.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoginOrder, LoginResult, Pasted } from "../../mcp/login.ts";
import { errorText } from "../../wording/error-text.ts";
import { helperProgram } from "../processes/helper-programs.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { type Login, loginProvider, openLogin } from "./logins.ts";
import { auth, RegistrationRejectedError } from "./sdk.ts";

const path = "/callback";

export async function login(order: LoginOrder): Promise<LoginResult> {
  const { name, server, configDir, signal } = order;
  const state = randomBytes(24).toString("base64url");
  const listener = createServer();
  try {
    const redirect = await listening(listener, server.oauth.callbackPort ?? 0);
    const fresh: { login: Login; state: string } = { login: { version: 1, name, url: server.url, redirect }, state };
    let address: URL | undefined;
    const stored = openLogin(configDir, { name, url: server.url });
    const onAddress = (url: URL) => {
      address = url;
    };
    const provider = loginProvider({ stored, oauth: server.oauth, onAddress, fresh });
    const options = {
      serverUrl: server.url,
      fetchFn: oauthFetch(signal),
      ...(server.oauth.scope !== undefined && { scope: server.oauth.scope }),
    };
    await auth(provider, options);
    if (!address) return { ok: false, reason: "the server wants no login" };
    if (!/^https?:$/.test(address.protocol))
      return { ok: false, reason: `it would lead to ${address.protocol}, which is no address for a browser` };
    order.onAddress(address.href, order.browser && openBrowser(address.href));
    const got = await codeFrom(listener, { order, redirect, state });
    if (!got.ok) return got;
    await auth(provider, { ...options, authorizationCode: got.code, ...(got.iss !== undefined && { iss: got.iss }) });
    return fresh.login.tokens ? { ok: true } : { ok: false, reason: "it gave no tokens" };
  } catch (error) {
    return { ok: false, reason: signal.aborted ? "it was interrupted" : faultWords(error) };
  } finally {
    listener.closeAllConnections();
    listener.close();
  }
}

/** Large forges and others register no clients for anybody who asks: the person does it once, on their pages. */
function faultWords(error: unknown): string {
  const said = errorText(error);
  if (!(error instanceof RegistrationRejectedError) && !/does not support dynamic client registration/.test(said)) return said;
  const status =
    error instanceof RegistrationRejectedError ? ` (${error.status}: ${error.body.replaceAll(/\s+/g, " ").trim().slice(0, 200)})` : "";
  return `its authorization server registers no clients by itself${status}. Register one there with the redirect address http://127.0.0.1:8123${path}, and name it in the entry: "oauth": { "clientId": "…", "callbackPort": 8123 }. Or leave out the login, and put a token into the entry: "headers": { "Authorization": "Bearer \${TOKEN}" }`;
}

export function logout({ name, url, configDir }: { name: string; url: string; configDir: string }): boolean {
  const stored = openLogin(configDir, { name, url });
  const had = stored.read() !== undefined;
  stored.remove();
  return had;
}

/** Resolves with the address that is registered, and that alone gets a code. */
function listening(listener: HttpServer, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, "127.0.0.1", () => resolve(`http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`));
  });
}

/** A code or a secret is sent to the address that was found, and to none that it names. */
function oauthFetch(until: AbortSignal) {
  const limited = limitedFetch();
  return (url: string | URL, init: RequestInit = {}) =>
    limited(url, {
      ...init,
      ...(init.method?.toUpperCase() === "POST" && { redirect: "error" as const }),
      signal: AbortSignal.any([until, AbortSignal.timeout(30_000), ...(init.signal ? [init.signal] : [])]),
    });
}

type Waiting = { order: LoginOrder; redirect: string; state: string };

/** What does not belong to this login is answered and passed over; the first that does decides. */
function codeFrom(listener: HttpServer, { order: { pasted, codeIn, signal }, redirect, state }: Waiting): Promise<Pasted> {
  return new Promise((resolve) => {
    const over = () => resolve({ ok: false, reason: "it was interrupted" });
    if (signal.aborted) over();
    signal.addEventListener("abort", over, { once: true });
    listener.on("request", (request, response) => {
      const got = codeIn(new URL(request.url ?? "/", redirect).href, { redirect, state });
      const isOurs = got.ok || got.reason.startsWith("it was refused");
      response.writeHead(isOurs ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(
        got.ok ? "You are logged in. You can close this page." : isOurs ? `The login failed: ${got.reason}` : "Nothing is here.",
      );
      if (isOurs) resolve(got);
    });
    void (async () => {
      for await (const line of pasted) {
        const text = line.trim();
        if (text !== "") return resolve(codeIn(text, { redirect, state }));
      }
    })();
  });
}

/** False where nobody could see it. */
function openBrowser(address: string): boolean {
  const hasScreen = process.platform === "darwin" || process.env["DISPLAY"] || process.env["WAYLAND_DISPLAY"];
  const program = helperProgram(process.platform === "darwin" ? "open" : "xdg-open");
  if (!hasScreen || program.kind === "missing") return false;
  const child = spawn(program.path, [address], { stdio: "ignore", detached: true });
  child.on("error", () => {}); // the address is printed too
  child.unref();
  return true;
}
