// The forge of the demo: a bare copy beside the scratch repository, behind a local server that answers like GitHub.
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import type { DemoForge } from "../../batch/demo.ts";
import { gitInOwnRepository } from "../git/own-git.ts";
import { loopbackForge } from "./loopback-forge.ts";

/** Throws if git cannot make the copy. */
export async function demoForge(repository: string): Promise<DemoForge> {
  const git = (...args: string[]) => gitInOwnRepository(repository, args, "Cannot prepare the demo");
  const folder = join(dirname(repository), "remote.git");
  const token = `demo_${randomBytes(16).toString("hex")}`;
  const branch = await git("symbolic-ref", "--short", "HEAD");
  await git("init", "--quiet", "--bare", folder);
  await git("push", "--quiet", folder, branch);
  const server = await loopbackForge({ owner: "demo", repository: "order-desk", folder, token });
  await git("remote", "add", "origin", server.remote);
  await git("update-ref", `refs/remotes/origin/${branch}`, "HEAD");
  for (const [key, value] of [
    [`branch.${branch}.remote`, "origin"],
    [`branch.${branch}.merge`, `refs/heads/${branch}`],
  ] as const)
    await git("config", key, value);
  return { env: { GITHUB_API_URL: server.api, GH_TOKEN: token }, pulls: server.pulls, close: server.close };
}
