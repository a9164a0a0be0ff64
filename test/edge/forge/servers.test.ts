// GitLab and Gitea through the port of a batch, each against a server on this machine that refuses what the real one refuses.
import { describe, expect, it, onTestFinished } from "vitest";
import type { Forge } from "../../../src/batch/forge.ts";
import { patiently } from "../../../src/batch/forge-calls.ts";
import { forgeAddress } from "../../../src/edge/forge/forge-address.ts";
import { gitea } from "../../../src/edge/forge/gitea.ts";
import { gitLab } from "../../../src/edge/forge/gitlab.ts";
import { openForge } from "../../../src/edge/forge/open-forge.ts";
import type { ServerAddress } from "../../../src/edge/forge/server-address.ts";
import { httpTransport } from "../../../src/edge/forge/transport.ts";
import type { PullRequestSettings } from "../../../src/settings/settings.ts";
import { loopbackGitea, loopbackGitLab } from "./loopback-server.ts";

const token = "0123456789abcdef0123456789abcdef01234567";
const now = Date.UTC(2026, 10, 22, 12, 0, 0);
const wanted = { head: "tool/batch-1/u1", base: "main", title: "New", body: "A file." };

const kinds = [
  {
    kind: "GitLab",
    start: loopbackGitLab,
    make: gitLab,
    path: "acme/team/app",
    variables: ["GITLAB_TOKEN", "GITLAB_HOST"],
    draft: "Draft: ",
  },
  { kind: "Gitea", start: loopbackGitea, make: gitea, path: "acme/app", variables: ["GITEA_TOKEN", "GITEA_SERVER_URL"], draft: "WIP: " },
] as const;
type Kind = (typeof kinds)[number];

async function place(
  { start, make, path, variables: [tokenName, serverName] }: Kind,
  given: PullRequestSettings & { login?: string } = {},
) {
  const { login = token, draft, labels } = given;
  const known = { own: { bug: 3, docs: 4, batch: 5 }, organization: { team: 9 } };
  const server = await start({ token, branches: () => ["main", wanted.head], labels: known });
  onTestFinished(() => server.close());
  const address = forgeAddress(`${server.url}/${path}.git`, { [serverName]: server.url }) as ServerAddress;
  const parts = { address, via: tokenName, now: () => now, draft, labels };
  const forge = (deadlineMs = 30_000, at = address): Forge =>
    make({ ...parts, address: at, transport: httpTransport(at, { token: login, deadlineMs }) });
  return {
    server,
    address,
    forge: forge(),
    impatient: forge(50),
    elsewhere: forge(30_000, { ...address, repository: `${address.repository}x` }),
  };
}

describe.each(kinds)("$kind", (kind) => {
  it("opens a pull request once, finds it by its branch, and finds it again if a second one is requested", async () => {
    const { server, forge, address } = await place(kind);
    expect(forge.name).toBe(`${address.host}/${kind.path}, with ${kind.variables[0]}`);
    expect(await forge.preflight("main")).toEqual({ ok: true, value: { login: "ann" } });
    expect(await forge.findPullRequest(wanted.head)).toEqual({ ok: true, value: undefined });
    const opened = { ok: true, value: { number: 1, url: expect.stringContaining(`${server.url}/${kind.path}/`), state: "open" } };
    expect(await forge.openPullRequest(wanted)).toEqual(opened);
    expect(await forge.findPullRequest(wanted.head)).toEqual(opened);
    expect(await forge.openPullRequest(wanted)).toEqual(opened);
    expect(server.pulls).toEqual([{ ...wanted, number: 1, state: "open", labels: [] }]);
  });

  it("marks a draft by its title, and gives it the labels that are there", async () => {
    const { server, forge } = await place(kind, { draft: true, labels: ["batch", "team"] });
    expect(await forge.preflight("main")).toEqual({ ok: true, value: { login: "ann" } });
    await forge.openPullRequest({ ...wanted, title: `https://ann:pw@h/ ${"x".repeat(300)}`, body: "y".repeat(70_000) });
    const [pull] = server.pulls;
    expect([
      pull?.title.slice(0, kind.draft.length),
      pull?.title.length,
      pull?.title.includes("pw"),
      pull?.body.length,
      pull?.labels,
    ]).toEqual([kind.draft, 250, false, 60_000, ["batch", "team"]]);
  });

  it("says what to do about a wrong token, an unknown project and a missing base", async () => {
    const wrong = await place(kind, { login: "wrong" });
    const { forge, elsewhere } = await place(kind);
    const refusals = [await wrong.forge.preflight("main"), await elsewhere.preflight("main"), await forge.preflight("gone")];
    expect(refusals.map((one) => (one.ok ? one : [one.error.kind, one.error.reason]))).toEqual([
      ["auth", expect.stringContaining(`set ${kind.variables[0]} to another one`)],
      ["not_found", expect.stringMatching(/404 .*It does not exist, or this login may not see it/)],
      ["invalid", expect.stringContaining('has no branch "gone" to open them against')],
    ]);
    expect(await forge.openPullRequest({ ...wanted, head: "gone" })).toMatchObject({
      ok: false,
      error: { reason: expect.stringContaining(`${kind.kind} answers 4`) },
    });
  });

  it("is asked again after 429, 500 and a lost answer, and opens one", async () => {
    const { server, forge } = await place(kind);
    server.failNext("POST", { status: 429, headers: { "retry-after": "7" }, body: { message: "slow down" } });
    server.failNext("POST", { status: 500, body: "<html>" });
    server.failNext("POST", "lost");
    const waits: number[] = [];
    const clock = { sleep: async (ms: number) => void waits.push(ms) };
    const made = await patiently((signal) => forge.openPullRequest(wanted, signal), { clock, signal: new AbortController().signal });
    expect([made.ok && made.value.number, waits, server.pulls.length]).toEqual([1, [7000, 2000, 4000], 1]);
  });

  it("is given up after its limit if it is slow, and shows no token", async () => {
    const { server, forge, impatient } = await place(kind);
    server.failNext("GET", "silent");
    const answer = await impatient.findPullRequest(wanted.head);
    expect(answer).toMatchObject({ ok: false, error: { kind: "network", reason: expect.stringContaining("nothing within 0.05 s") } });
    server.failNext("GET", { status: 302, headers: { location: "https://example.org/" }, body: "" });
    expect(await forge.findPullRequest(wanted.head)).toMatchObject({
      error: { kind: "not_found", reason: expect.stringContaining("has moved") },
    });
  });

  it("is opened with the variables of its own tools, or by the settings, and not without a token", async () => {
    const { server } = await place(kind);
    const [tokenName, serverName] = kind.variables;
    const remote = { name: "origin", url: `${server.url}/${kind.path}.git` };
    const host = new URL(server.url).host;
    const byVariable = await openForge(remote, { env: { [tokenName]: token, [serverName]: server.url }, forges: {}, pullRequests: {} });
    const forges = { [host]: kind.kind === "GitLab" ? "gitlab" : "gitea" } as const;
    const bySettings = await openForge(remote, { env: { [tokenName]: token }, forges, pullRequests: {} });
    for (const choice of [byVariable, bySettings])
      expect(choice.kind === "forge" && (await choice.forge.preflight("main"))).toEqual({ ok: true, value: { login: "ann" } });
    const without = await openForge(remote, { env: {}, forges, pullRequests: {} });
    expect(without).toEqual({ kind: "none", reason: expect.stringContaining(`Set ${tokenName} to a token`) });
  });
});

it("says which labels Gitea does not have, and opens without them", async () => {
  const { server, forge } = await place(kinds[1], { labels: ["nope", "docs"] });
  const notice = expect.stringMatching(/Gitea has no label "nope" in acme\/app: pull requests are opened without/);
  expect(await forge.preflight("main")).toEqual({ ok: true, value: { login: "ann", notices: [notice] } });
  expect(await forge.openPullRequest(wanted)).toMatchObject({ ok: true });
  expect(server.pulls[0]?.labels).toEqual(["docs"]);
});
