import { describe, expect, it, onTestFinished } from "vitest";
import { forgeAddress, type GitHubAddress } from "../../../src/edge/forge/forge-address.ts";
import { gitHub } from "../../../src/edge/forge/github.ts";
import { type LoopbackForge, loopbackForge } from "../../../src/edge/forge/loopback-forge.ts";
import { openForge } from "../../../src/edge/forge/open-forge.ts";
import { gitHubHeaders, httpTransport } from "../../../src/edge/forge/transport.ts";
import { eventually } from "../../scratch.ts";
import { bareRemote, testRepository } from "../git/git-kit.ts";

const token = "ghp_0123456789abcdefghij0123456789abcdef";
const now = Date.UTC(2026, 10, 22, 12, 0, 0);

/** A repository with two branches at the remote, one of which has a commit of its own. */
async function place(given = token) {
  const repository = testRepository();
  const folder = bareRemote(repository);
  repository.say("push", "--quiet", "origin", "main:same");
  repository.say("checkout", "--quiet", "-b", "tool/batch-1/u1");
  repository.commit({ "new.txt": "new\n" });
  repository.say("push", "--quiet", "origin", "tool/batch-1/u1");
  const server = await loopbackForge({ owner: "acme", repository: "app", folder, token });
  onTestFinished(() => server.close());
  const address = addressOf(server);
  return {
    server,
    forge: gitHub({
      address,
      transport: httpTransport(address, { token: given, headers: gitHubHeaders }),
      via: "GH_TOKEN",
      now: () => now,
    }),
    repository,
  };
}

const addressOf = ({ api, remote }: LoopbackForge) => forgeAddress(remote, { GITHUB_API_URL: api }) as GitHubAddress;
const wanted = { head: "tool/batch-1/u1", base: "main", title: "New", body: "A file." };

describe("a pull request", () => {
  it("is opened once, found by its branch, and found again if a second one is requested", async () => {
    const { server, forge } = await place();
    expect(forge.name).toBe(`${server.host}/acme/app, with GH_TOKEN`);
    expect(await forge.preflight("main")).toEqual({ ok: true, value: { login: "demo" } });
    expect(await forge.findPullRequest(wanted.head)).toEqual({ ok: true, value: undefined });
    const opened = { ok: true, value: { number: 1, url: expect.stringContaining("/acme/app/pull/1"), state: "open" } };
    expect(await forge.openPullRequest(wanted)).toEqual(opened);
    expect(await forge.findPullRequest(wanted.head)).toEqual(opened);
    expect(await forge.openPullRequest(wanted)).toEqual(opened);
    expect(server.pulls()).toEqual([{ ...wanted, number: 1, state: "open" }]);
  });

  it("is found if the answer to its request was lost", async () => {
    const { server, forge } = await place();
    server.failNext("POST", { kind: "lost" });
    expect(await forge.openPullRequest(wanted)).toMatchObject({ ok: false, error: { kind: "network" } });
    expect(await forge.openPullRequest(wanted)).toMatchObject({ ok: true, value: { number: 1 } });
    expect(server.pulls()).toHaveLength(1);
  });

  it("is refused without its branch, without changes, and if the base is missing", async () => {
    const { forge } = await place();
    const refusal = async (change: Partial<typeof wanted>) => {
      const answer = await forge.openPullRequest({ ...wanted, ...change });
      return answer.ok ? answer.value : [answer.error.kind, answer.error.reason];
    };
    expect(await refusal({ head: "tool/batch-1/gone" })).toEqual(["invalid", expect.stringContaining("head is invalid")]);
    expect(await refusal({ head: "same" })).toEqual(["invalid", expect.stringContaining("No commits between main and same")]);
    expect(await refusal({ base: "gone" })).toEqual(["invalid", expect.stringContaining("base is invalid")]);
  });

  it("has a title and a body that GitHub takes, without credentials", async () => {
    const { server, forge } = await place();
    await forge.openPullRequest({ ...wanted, title: `https://ann:pw@h/ ${"x".repeat(300)}`, body: "y".repeat(70_000) });
    const [pull] = server.pulls();
    expect([pull?.title.length, pull?.title.includes("pw"), pull?.body.length]).toEqual([250, false, 60_000]);
  });
});

it("is a draft with labels if they are wanted, and an answer that is lost on the way leaves one with both", async () => {
  const { server } = await place();
  const address = addressOf(server);
  const options = { address, transport: httpTransport(address, { token, headers: gitHubHeaders }), via: "GH_TOKEN", now: () => now };
  const forge = gitHub({ ...options, draft: true, labels: ["batch"] });
  server.failNext("POST /repos/acme/app/issues", { status: 502, message: "Bad Gateway" });
  expect(await forge.openPullRequest(wanted)).toMatchObject({ ok: false, error: { kind: "server" } });
  expect(await forge.openPullRequest(wanted)).toMatchObject({ ok: true, value: { number: 1 } });
  expect(server.pulls()).toEqual([{ ...wanted, number: 1, state: "open", draft: true, labels: ["batch"] }]);
});

describe("what a forge refuses", () => {
  it("is an answer with its kind and its reason, and requested once", async () => {
    const { server, forge } = await place();
    const cases = [
      [{ status: 403, message: "Resource not accessible by integration" }, "auth"],
      [{ status: 404, message: "Not Found" }, "not_found"],
      [{ status: 301, message: "Moved Permanently" }, "not_found"],
      [{ status: 422, message: "Validation Failed" }, "invalid"],
      [{ status: 500, message: "Server Error" }, "server"],
      [{ status: 502, message: "Bad Gateway" }, "server"],
    ] as const;
    for (const [fault, kind] of cases) {
      server.failNext("POST", fault);
      const reason = expect.stringContaining(`${fault.status} (${fault.message})`);
      expect(await forge.openPullRequest(wanted)).toMatchObject({ ok: false, error: { kind, reason } });
    }
    expect(server.requests()).toEqual(cases.map(() => "POST /repos/acme/app/pulls"));
  });

  it("temporarily includes until when", async () => {
    const { server, forge } = await place();
    const reset = String(now / 1000 + 900);
    // `date`: the forge's clock, whatever ours says
    const limited = (date: number) => ({
      status: 403,
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset, date: new Date(date).toUTCString() },
      message: "API rate limit exceeded",
    });
    const cases = [
      [{ status: 429, headers: { "retry-after": "30" }, message: "slow down" }, 30_000],
      [{ status: 403, headers: { "retry-after": "7", "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset }, message: "rate" }, 7000],
      [limited(now), 900_000],
      [limited(now + 870_000), 30_000],
      [{ status: 403, message: "You have exceeded a secondary rate limit" }, 60_000],
    ] as const;
    for (const [fault, waitMs] of cases) {
      server.failNext("GET", fault);
      expect(await forge.findPullRequest(wanted.head)).toMatchObject({ ok: false, error: { kind: "rate_limit", waitMs } });
    }
  });

  it("a bad token is reported, and not printed", async () => {
    const bad = "ghp_9999999999999999999999999999999999";
    const { forge } = await place(bad);
    const answer = await forge.preflight("main");
    expect(answer).toMatchObject({ ok: false, error: { kind: "auth", reason: expect.stringContaining("Bad credentials") } });
    expect(JSON.stringify(answer)).not.toContain(bad);
  });

  it("an aborted request ends at once, and may have been received", async () => {
    const { server, forge } = await place();
    const ending = new AbortController();
    server.failNext("POST", { kind: "silent" });
    const opening = forge.openPullRequest(wanted, ending.signal);
    await eventually(() => server.requests().length > 0);
    ending.abort();
    expect(await opening).toMatchObject({ ok: false, error: { kind: "network" } });
    expect(await forge.openPullRequest(wanted, new AbortController().signal)).toMatchObject({ ok: true, value: { number: 1 } });
  });

  it("a missing base is found before anything is spent", async () => {
    const { forge } = await place();
    expect(await forge.preflight("feature/one")).toMatchObject({
      ok: false,
      error: { reason: expect.stringMatching(/no branch "feature\/one"/) },
    });
    expect(await forge.preflight("tool/batch-1/u1")).toMatchObject({ ok: true });
  });

  it("no answer is a network error", async () => {
    const { server, forge } = await place();
    await server.close();
    expect(await forge.findPullRequest("x")).toMatchObject({ ok: false, error: { kind: "network" } });
  });
});

describe("openForge()", () => {
  it("says how to sign in without a login, and uses an available token", async () => {
    const { server } = await place();
    const env = { GITHUB_API_URL: server.api, PATH: "/nowhere" };
    const remote = { name: "origin", url: server.remote };
    const wanted = { env, forges: {}, pullRequests: {} };
    expect(await openForge(remote, wanted)).toMatchObject({ kind: "none", reason: expect.stringContaining("gh auth login --hostname") });
    const choice = await openForge(remote, { ...wanted, env: { ...env, GITHUB_TOKEN: token } });
    expect(choice.kind === "forge" && [choice.forge.name, await choice.forge.preflight("main")]).toEqual([
      `${server.host}/acme/app, with GITHUB_TOKEN`,
      { ok: true, value: { login: "demo" } },
    ]);
  });
});
