// The forge of a remote, with the available login. Checked once, before a batch spends anything.
import type { Forge, ForgeChoice } from "../../batch/forge.ts";
import type { Remote } from "../../batch/repository.ts";
import type { Forges, PullRequestSettings } from "../../settings/settings.ts";
import { type ForgeAddress, forgeAddress } from "./forge-address.ts";
import type { ForgeOptions } from "./forge-options.ts";
import { gitea } from "./gitea.ts";
import { gitHubLogin, openGitHub } from "./github-login.ts";
import { gitLab } from "./gitlab.ts";
import type { ServerAddress } from "./server-address.ts";
import { httpTransport } from "./transport.ts";

type Environment = Record<string, string | undefined>;

/** `by`: what the person has said, in the environment and in settings. */
export async function openForge(
  remote: Remote,
  { env, forges, pullRequests }: { env: Environment; forges: Forges; pullRequests: PullRequestSettings },
): Promise<ForgeChoice> {
  const address = forgeAddress(remote.url, env, forges);
  if (address.kind === "none") return address;
  return address.kind === "github" ? openGitHub(address, env, pullRequests) : openServer(address, env, pullRequests);
}

type OfServers = {
  open: (options: ForgeOptions<ServerAddress>) => Forge;
  /** The word before the token in the header `Authorization`. */
  scheme: "Bearer" | "token";
};

const servers: Record<ServerAddress["kind"], OfServers> = {
  gitlab: { open: gitLab, scheme: "Bearer" },
  gitea: { open: gitea, scheme: "token" },
};

function openServer(address: ServerAddress, env: Environment, wanted: PullRequestSettings): ForgeChoice {
  const { kind, host, tokens } = address;
  const via = tokens.find((name) => env[name]);
  if (via === undefined)
    return { kind: "none", reason: `There is no login for ${host}. Set ${tokens[0]} to a token that may push and open pull requests.` };
  const { open, scheme } = servers[kind];
  const transport = httpTransport(address, { token: env[via]!, scheme });
  return { kind: "forge", forge: open({ ...wanted, address, transport, via, now: () => Date.now() }) };
}

/**
 * Finds the token for a push to a known forge; undefined if the user's own git must sign in. A token is kept once it is found, because gh takes
 * a process for each.
 */
export function pushTokens(env: Environment, forges: Forges): (url: string) => Promise<string | undefined> {
  const found = new Map<string, string>();
  return async (url) => {
    const token = found.get(url) ?? (await tokenFor(forgeAddress(url, env, forges), env));
    if (token !== undefined) found.set(url, token);
    return token;
  };
}

async function tokenFor(address: ForgeAddress, env: Environment): Promise<string | undefined> {
  if (address.kind === "none") return undefined;
  if (address.kind === "github") return (await gitHubLogin(address, env))?.token;
  return address.tokens.map((name) => env[name]).find(Boolean);
}
