// `tool batch` at GitLab and Gitea: the built program finds the forge by the person's settings and variables, pushes, and opens what they want.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { batchFixture, made, waitingFor } from "../batch/fixture.ts";
import { loopbackGitea, loopbackGitLab } from "../edge/forge/loopback-server.ts";
import { teamPlace } from "../team-kit.ts";

const units = [made("a"), made("b", " of nothing"), ...waitingFor("b", ["c", "d", "e"])];
const token = "0123456789abcdef0123456789abcdef01234567"; // tool:allow-secret

it.each([
  { kind: "gitlab", start: loopbackGitLab, path: "acme/team/app", variable: "GITLAB_TOKEN", title: "Draft: ", labels: ["batch"] },
  { kind: "forgejo", start: loopbackGitea, path: "acme/app", variable: "FORGEJO_TOKEN", title: "WIP: ", labels: [] },
])("opens a draft with labels at $kind, and says which label it lacks", async ({ kind, start, path, variable, title, labels }) => {
  const there = teamPlace();
  const fixture = batchFixture(there, units);
  const branches = () =>
    execFileSync("git", ["--git-dir", fixture.remote, "for-each-ref", "--format=%(refname:lstrip=2)"], { encoding: "utf8" }).split("\n");
  const server = await start({ token, branches, folder: fixture.remote });
  onTestFinished(() => server.close());
  fixture.git("remote", "set-url", "origin", `${server.url}/${path}.git`);
  const host = new URL(server.url).host;
  const settings = { sandbox: { autoAllow: false }, forges: { [host]: kind }, pullRequests: { draft: true, labels: ["batch"] } };
  mkdirSync(there.configDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(there.configDir, "settings.json"), JSON.stringify(settings));
  const args = ["--plan", fixture.plan, "--yes", "--json", "--script", fixture.script, "--allow", "Bash(node --test:*)"];
  const program = there.warm(["batch", ...args], { env: { [variable]: token } });
  const { code } = await program.ended;
  expect(code, program.stderr()).toBe(1);
  const result = JSON.parse(program.stdout()) as { id: string; units: { url?: string }[] };
  const head = `tool/batch-${result.id}/a`;
  expect(server.pulls).toMatchObject([{ head, base: "main", title: expect.stringMatching(`^${title}`), state: "open", labels }]);
  expect(result.units.map(({ url }) => url?.startsWith(`${server.url}/${path}/`))).toEqual([true, ...units.slice(1).map(() => undefined)]);
  expect(program.stderr().includes('Forgejo has no label "batch"')).toBe(labels.length === 0);
  expect(program.stdout() + program.stderr()).not.toContain(token);
});
