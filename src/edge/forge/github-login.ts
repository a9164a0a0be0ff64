// The login at GitHub: `gh` if it is installed and signed in, else a token from the environment.
import type { ForgeChoice } from "../../batch/forge.ts";
import type { PullRequestSettings } from "../../settings/settings.ts";
import { helperProgram } from "../processes/helper-programs.ts";
import { run } from "../processes/run.ts";
import { environmentFor, type GitHubAddress } from "./forge-address.ts";
import { gitHub } from "./github.ts";
import { ghTransport, gitHubHeaders, httpTransport } from "./transport.ts";

type Environment = Record<string, string | undefined>;

export async function openGitHub(address: GitHubAddress, env: Environment, wanted: PullRequestSettings): Promise<ForgeChoice> {
  const login = await gitHubLogin(address, env);
  if (!login) return { kind: "none", reason: missing(address) };
  const options = { ...wanted, address, now: () => Date.now() };
  switch (login.kind) {
    case "gh":
      return { kind: "forge", forge: gitHub({ ...options, transport: ghTransport(address, environmentFor(address, env)), via: "gh" }) };
    case "token":
      return {
        kind: "forge",
        forge: gitHub({
          ...options,
          transport: httpTransport(address, { token: login.token, headers: gitHubHeaders }),
          via: login.name,
        }),
      };
  }
}

type Login = { kind: "gh"; token: string } | { kind: "token"; name: string; token: string };

export async function gitHubLogin(address: GitHubAddress, env: Environment): Promise<Login | undefined> {
  const name = address.tokens.find((each) => env[each]);
  const own = await ghToken(address, env);
  if (own !== undefined) return { kind: "gh", token: own };
  return name === undefined ? undefined : { kind: "token", name, token: env[name]! };
}

/** gh also knows tokens from the environment. It uses https only, and no address other than that of its host. */
async function ghToken(address: GitHubAddress, env: Environment): Promise<string | undefined> {
  const { host, api } = address;
  if (helperProgram("gh", env["PATH"]).kind === "missing" || !api.startsWith("https://")) return undefined;
  const result = await run(["gh", "auth", "token", "--hostname", host], {
    env: environmentFor(address, env),
    extendEnv: false,
    timeoutMs: 20_000,
  });
  const token = result.stdout.trim();
  return result.code === 0 && /^\S+$/.test(token) ? token : undefined;
}

function missing({ host, tokens }: GitHubAddress): string {
  const login = host === "github.com" ? "gh auth login" : `gh auth login --hostname ${host}`;
  const variable = tokens[0] ?? `GH_HOST=${host} and GH_ENTERPRISE_TOKEN`;
  return `There is no login for ${host}. Sign in with gh (${login}), or set ${variable} to a token that may write contents and pull requests.`;
}
