// The forge over https, with a certificate that the test creates: git's push, Node's requests and the real gh.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { loopbackForge } from "../../src/edge/forge/loopback-forge.ts";
import { openForge } from "../../src/edge/forge/open-forge.ts";
import { batchRepository } from "../../src/edge/git/batch-repository.ts";
import { localhostCertificate } from "../edge/forge/certificate.ts";
import { bareRemote, gitEnv, testRepository } from "../edge/git/git-kit.ts";
import { lacks } from "../needs.ts";
import { scratchFolder, start } from "../scratch.ts";

const token = "ghp_0123456789abcdefghij0123456789abcdef";
const request = { head: "tool/batch-1/u1", base: "main", title: "New", body: "A file." };
const opened = { ok: true, value: { number: 1, url: expect.stringContaining("/acme/app/pull/1"), state: "open" } };

/** A repository whose unit branch is not pushed yet, and whose remote is the forge. */
async function place() {
  const repository = testRepository();
  const folder = bareRemote(repository);
  repository.say("branch", request.head);
  repository.say("checkout", "--quiet", request.head);
  repository.commit({ "new.txt": "new\n" });
  const tls = localhostCertificate();
  const server = await loopbackForge({ owner: "acme", repository: "app", folder, token, tls });
  onTestFinished(() => server.close());
  repository.say("remote", "set-url", "origin", server.remote);
  const certificate = repository.beside("certificate.pem");
  writeFileSync(certificate, tls.cert);
  return { repository, server, certificate, folder };
}

type Place = Awaited<ReturnType<typeof place>>;

const push = ({ repository, certificate }: Place, given: string | undefined) =>
  batchRepository({
    git: repository.git,
    repository: repository.folder,
    home: repository.beside("worktrees"),
    closed: async () => () => false,
    ignored: "copy",
    look: async () => undefined,
    env: gitEnv,
    logins: { GIT_SSL_CAINFO: certificate },
    token: async () => given,
  }).push(request.head, "origin");

it("a push signs in with the forge's token, which is stored in no file; then the REST API opens the pull request", async () => {
  const there = await place();
  const { repository, server, certificate } = there;
  expect(await push(there, undefined)).toMatchObject({
    ok: false,
    error: { kind: "auth", reason: expect.stringContaining("gh auth login at GitHub") },
  });
  expect(await push(there, "ghp_wrong")).toMatchObject({ ok: false, error: { kind: "auth" } });
  expect(await push(there, token)).toEqual({ ok: true, value: undefined });
  expect(() => execFileSync("grep", ["-rl", token, repository.beside("")])).toThrow();

  const child = start([process.execPath, "dist/test/forge-call.js", JSON.stringify({ url: server.remote, request })], {
    env: { PATH: "/nowhere", NODE_EXTRA_CA_CERTS: certificate, GITHUB_API_URL: server.api, GITHUB_TOKEN: token },
  });
  await child.ended;
  expect(JSON.parse(child.output())).toEqual({
    name: `${server.host}/acme/app, with GITHUB_TOKEN`,
    answers: [{ ok: true, value: { login: "demo" } }, opened, opened],
  });
  expect(server.pulls()).toHaveLength(1);
});

const by = (env: Record<string, string | undefined>) => ({ env, forges: {}, pullRequests: {} });

it.skipIf(await lacks("gh"))("the real gh opens it, finds it, and reports refusals", async () => {
  const there = await place();
  const { server, certificate } = there;
  expect(await push(there, token)).toEqual({ ok: true, value: undefined });
  const env = {
    PATH: process.env["PATH"],
    HOME: scratchFolder(),
    GH_CONFIG_DIR: scratchFolder(),
    SSL_CERT_FILE: certificate,
    GH_HOST: server.host,
  };
  const remote = { name: "origin", url: server.remote };
  expect(await openForge(remote, by(env))).toMatchObject({ kind: "none", reason: expect.stringContaining("gh auth login") });
  const choice = await openForge(remote, by({ ...env, GH_ENTERPRISE_TOKEN: token }));
  if (choice.kind === "none") throw new Error(choice.reason);
  const { forge } = choice;
  expect(forge.name).toBe(`${server.host}/acme/app, with gh`);
  expect(await forge.preflight("main")).toEqual({ ok: true, value: { login: "demo" } });
  expect(await forge.findPullRequest(request.head)).toEqual({ ok: true, value: undefined });
  expect(await forge.openPullRequest(request)).toEqual(opened);
  expect(await forge.openPullRequest(request)).toEqual(opened);
  expect(await forge.findPullRequest(request.head)).toEqual(opened);
  expect(await forge.openPullRequest({ ...request, head: "tool/batch-1/gone" })).toMatchObject({
    ok: false,
    error: { kind: "invalid", reason: expect.stringContaining("head is invalid") },
  });
  server.failNext("GET", { status: 403, headers: { "retry-after": "30" }, message: "slow down" });
  expect(await forge.findPullRequest(request.head)).toMatchObject({ ok: false, error: { kind: "rate_limit" } });
  const wrong = await openForge(remote, by({ ...env, GH_ENTERPRISE_TOKEN: "ghp_wrong" }));
  expect(wrong.kind === "forge" && (await wrong.forge.preflight("main"))).toMatchObject({ ok: false, error: { kind: "auth" } });
  await server.close();
  expect(await forge.findPullRequest(request.head)).toMatchObject({ ok: false, error: { kind: "network" } });
});
