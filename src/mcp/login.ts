// The port to a login at a remote server's authorization server.
import type { Server } from "./server.ts";

export type LoginOrder = {
  name: string;
  server: Extract<Server, { kind: "http" }>;
  configDir: string;
  /** Where the person agrees; opened in a browser if there is one. `browser`: it was opened. */
  onAddress(address: string, browser: boolean): void;
  /** Lines that the person pastes: the address that their browser was sent to, or the code in it. */
  pasted: AsyncIterable<string>;
  /** Reads what a redirect brings. */
  codeIn: (text: string, login: { redirect: string; state: string }) => Pasted;
  /** Without it nothing is opened. */
  browser: boolean;
  signal: AbortSignal;
};

/** `reason` continues "cannot log in at …: ". */
export type LoginResult = { ok: true } | { ok: false; reason: string };

export type Pasted = { ok: true; code: string; iss?: string } | { ok: false; reason: string };

/** What a redirect brings, as a whole address or pasted. Only the registered address counts, and only with the state that was sent along. */
export function codeIn(text: string, { redirect, state }: { redirect: string; state: string }): Pasted {
  const no = (reason: string): Pasted => ({ ok: false, reason });
  if (!/^https?:/i.test(text))
    return /^[\w.~+/=-]{8,2000}$/.test(text) ? { ok: true, code: text } : no("that is neither an address nor a code");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || `${url.origin}${url.pathname}` !== redirect) return no(`that is not an address of this login, which begins with ${redirect}`);
  const one = (name: string) => (url.searchParams.getAll(name).length === 1 ? url.searchParams.get(name) : null);
  if (one("state") !== state) return no("it belongs to another login");
  const error = one("error");
  if (error !== null) return no(`it was refused: ${[error, one("error_description")].filter(Boolean).join(", ")}`);
  const code = one("code");
  const iss = one("iss");
  return code === null || code === "" ? no("there is no code in it") : { ok: true, code, ...(iss !== null && { iss }) };
}
