// A login at a remote server: real HTTP on loopback, where this test is the browser.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { login, logout } from "../../../src/edge/mcp/login.ts";
import { openLink } from "../../../src/edge/mcp/open-link.ts";
import { codeIn, type LoginOrder } from "../../../src/mcp/login.ts";
import { scratchFolder } from "../../scratch.ts";
import { type LoginServer, loginServer } from "./authorization-server.ts";

const limit = () => AbortSignal.timeout(20_000);

async function place() {
  const remote = await loginServer();
  const configDir = scratchFolder();
  const server = { kind: "http" as const, url: remote.url, headers: {}, oauth: {} };
  const base = { name: "remote", server, configDir, codeIn, browser: false, pasted: nothing() };
  /** `browse`: what the person does with the address that is printed. */
  const logIn = (browse: (address: URL) => unknown, more: Partial<LoginOrder> = {}) =>
    login({ ...base, signal: limit(), onAddress: (address) => void browse(new URL(address)), ...more });
  const call = async (headers: Record<string, string> = {}, url = remote.url) => {
    const order = {
      name: "remote",
      server: { ...server, url, headers },
      configDir,
      cwd: configDir,
      env: {},
      owner: "test",
      startMs: 5_000,
      callMs: 5_000,
    };
    const events = { onChanged() {}, onLost() {}, onForm: async () => ({ action: "decline" as const }) };
    try {
      const link = await openLink({ ...order, events }, limit());
      onTestFinished(() => link.close());
      return await link.call("look", {}, { signal: limit() });
    } catch (error) {
      return (error as Error).message;
    }
  };
  const kept = () => {
    try {
      const folder = join(configDir, "mcp/logins");
      return readdirSync(folder).map((name) => join(folder, name));
    } catch {
      return []; // never written
    }
  };
  return { remote, configDir, logIn, call, kept };
}

async function* nothing(): AsyncIterable<string> {}

async function* one(line: Promise<string>): AsyncIterable<string> {
  yield await line;
}

/** What a person's browser does who agrees. */
const agree = (address: URL) => fetch(address);

const seen = { content: [{ type: "text", text: "seen" }] };
const tokensIn = (file = "") =>
  (JSON.parse(readFileSync(file, "utf8")) as { tokens: { access_token: string; refresh_token: string } }).tokens;
const pathsOf = ({ told }: LoginServer) => told.map(({ path }) => path);

/** An address that is nobody's, and what reached it. */
async function stranger() {
  const reached: string[] = [];
  const http = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => {
      body += piece.toString();
    });
    request.on("end", () => {
      reached.push(`${request.url} ${request.headers.authorization ?? ""} ${body}`);
      response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, reached };
}

describe("a login", () => {
  it("keeps tokens for the person alone, with which the server is called until the person logs out", async () => {
    const { remote, configDir, logIn, call, kept } = await place();
    expect(await call()).toBe("needs a login: tool mcp login remote");
    expect(await logIn(agree)).toEqual({ ok: true });
    expect(kept().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
    expect(await call()).toEqual(seen);
    const where = { name: "remote", url: remote.url, configDir };
    expect([logout({ ...where, name: "another" }), logout(where), logout(where)]).toEqual([false, true, false]);
    expect([kept(), await call()]).toEqual([[], "needs a login: tool mcp login remote"]);
  });

  it("where nobody is registered who asks says how to do it by hand", async () => {
    const { remote, logIn, kept } = await place();
    const reasons = [];
    for (const registration of ["none", "refused"] as const) {
      remote.registration = registration;
      reasons.push(await logIn(agree));
    }
    expect(reasons).toEqual([
      {
        ok: false,
        reason: expect.stringMatching(/^its authorization server registers no clients by itself\. Register one .*"callbackPort": 8123/),
      },
      { ok: false, reason: expect.stringMatching(/^its .* by itself \(403: \{"error":"access_denied"\}\)\. Register one there/) },
    ]);
    expect(kept()).toEqual([]);
  });

  it("is not what helps against a token of the entry that is refused, or another address", async () => {
    const { remote, call } = await place();
    expect(await call({ authorization: "Bearer old" })).toMatch(/^refuses what its entry sends as Authorization: is the token right/);
    expect(await call({}, `${remote.url}/other?key=abcdefgh12`)).toBe(
      `could not be reached or did not answer as it should: HTTP 404. Is ${remote.url}/other its address for streamable HTTP?`,
    );
  });

  it("takes the pasted address that a browser elsewhere was sent to, and no other", async () => {
    const { logIn, kept } = await place();
    const pasting = (change: (address: string) => string) => {
      let type = (_text: string) => {};
      const typed = new Promise<string>((resolve) => {
        type = resolve;
      });
      const browse = async (address: URL) => {
        const { headers } = await fetch(address, { redirect: "manual" });
        type(change(headers.get("location") ?? ""));
      };
      return logIn(browse, { pasted: one(typed) });
    };
    const wrongPlace = await pasting((address) => address.replace("127.0.0.1", "localhost"));
    expect(wrongPlace).toEqual({
      ok: false,
      reason: expect.stringMatching(/^that is not an address of this login, which begins with http:\/\/127/),
    });
    const another = await pasting((address) => address.replace(/state=[^&]+/, "state=another"));
    expect(another).toEqual({ ok: false, reason: "it belongs to another login" });
    expect(kept()).toEqual([]);
    expect(await pasting((address) => address)).toEqual({ ok: true });
  });

  it("is not taken in by others who call its address, and keeps nothing when it is refused", async () => {
    const { remote, logIn, kept } = await place();
    remote.refusal = "access_denied";
    const statuses: number[] = [];
    const refused = await logIn(async (address) => {
      const callback = address.searchParams.get("redirect_uri");
      for (const forged of ["?code=theirs", "?code=theirs&state=guess", "/../other?code=theirs"]) {
        statuses.push((await fetch(`${callback}${forged}`)).status);
      }
      await agree(address);
    });
    expect(refused).toEqual({ ok: false, reason: "it was refused: access_denied" });
    expect([statuses, kept(), pathsOf(remote).includes("/token")]).toEqual([[404, 404, 404], [], false]);
  });

  it("ends when the person interrupts it", async () => {
    const { logIn, kept } = await place();
    const interrupted = new AbortController();
    expect(await logIn(() => interrupted.abort(), { signal: interrupted.signal })).toEqual({ ok: false, reason: "it was interrupted" });
    expect(kept()).toEqual([]);
  });

  it("gives its code to no address that the authorization server sends it on to", async () => {
    const { remote, logIn, kept } = await place();
    const { url, reached } = await stranger();
    remote.sendOn("/token", url);
    expect((await logIn(agree)).ok).toBe(false);
    expect([reached, kept()]).toEqual([[], []]);
  });
});

describe("tokens", () => {
  it("that have expired are renewed, once, and the new ones are kept", async () => {
    const { remote, logIn, call, kept } = await place();
    await logIn(agree);
    const first = tokensIn(kept()[0]);
    remote.expire();
    expect(await call()).toEqual(seen);
    const second = tokensIn(kept()[0]);
    expect([second.access_token === first.access_token, second.refresh_token === first.refresh_token]).toEqual([false, false]);
    expect(await call()).toEqual(seen);
    expect(pathsOf(remote).filter((path) => path === "/token").length).toBe(2);
    expect(kept().map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
  });

  it("that cannot be renewed are named with the command for a new login; no browser is opened", async () => {
    const { remote, logIn, call } = await place();
    await logIn(agree);
    remote.expire();
    remote.revoke();
    expect(await call()).toMatch(/^needs a login.*: tool mcp login remote$/);
    expect(pathsOf(remote).filter((path) => path === "/authorize").length).toBe(1);
    expect(await logIn(agree)).toEqual({ ok: true });
    expect(await call()).toEqual(seen);
  });

  it("reach nobody whom the server sends its client on to", async () => {
    const { remote, logIn, call } = await place();
    const { url, reached } = await stranger();
    await logIn(agree);
    remote.sendOn("/mcp", url);
    expect(await call()).toEqual(expect.any(String));
    expect(reached).toEqual([]);
  });

  it("are given to no other authorization server that the server names later", async () => {
    const { remote, logIn, call, kept } = await place();
    const { url, reached } = await stranger();
    await logIn(agree);
    const { access_token, refresh_token } = tokensIn(kept()[0]);
    remote.expire();
    remote.authority = url;
    expect(await call()).toEqual(expect.any(String));
    expect(reached.length).toBeGreaterThan(0);
    expect([access_token, refresh_token].filter((token) => reached.join("\n").includes(token))).toEqual([]);
  });
});
