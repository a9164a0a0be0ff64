// The forge of a remote, with the available login. Checked once, before a batch spends anything.
import type { ForgeChoice } from "../../batch/forge.ts";
import type { Remote } from "../../batch/repository.ts";
import { type ForgeAddress, forgeAddress } from "./forge-address.ts";
import { gitHubLogin, openGitHub } from "./github-login.ts";

type Environment = Record<string, string | undefined>;

export async function openForge(remote: Remote, env: Environment): Promise<ForgeChoice> {
  const address = forgeAddress(remote.url, env);
  switch (address.kind) {
    case "none":
      return address;
    case "github":
      return openGitHub(address, env);
  }
}

/**
 * Finds the token for a push to a known forge; undefined if the user's own git must sign in. A token is kept once it is found, because gh takes
 * a process for each.
 */
export function pushTokens(env: Environment): (url: string) => Promise<string | undefined> {
  const found = new Map<string, string>();
  return async (url) => {
    const token = found.get(url) ?? (await tokenFor(forgeAddress(url, env), env));
    if (token !== undefined) found.set(url, token);
    return token;
  };
}

async function tokenFor(address: ForgeAddress, env: Environment): Promise<string | undefined> {
  switch (address.kind) {
    case "none":
      return undefined;
    case "github":
      return (await gitHubLogin(address, env))?.token;
  }
}
