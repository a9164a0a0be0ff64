// Which forge a remote belongs to, the address of its REST API, and the variables that may hold a token for it. Pure: makes no requests.
import type { Forges } from "../../settings/settings.ts";
import { isLoopback, remoteAddress } from "../git/remote-address.ts";
import { forgeTokens } from "./forge-tokens.ts";
import { type ServerAddress, serverAddress } from "./server-address.ts";

export type GitHubAddress = {
  kind: "github";
  /** As `gh` writes it: `github.com`, or the host of a GitHub Enterprise server, with its port if it has one. */
  host: string;
  /** Without a trailing slash. */
  api: string;
  owner: string;
  repository: string;
  /** Names of variables; the first one that is set counts. A token is never sent to a host that it was not made for: there may be none. */
  tokens: string[];
};

/** `reason`: one sentence that says what to do. */
export type ForgeAddress = GitHubAddress | ServerAddress | { kind: "none"; reason: string };

type Environment = Record<string, string | undefined>;

/** `url`: the remote's address; credentials in it are left out of the result. `forges`: what hosts are, by the person's settings. */
export function forgeAddress(url: string, env: Environment, forges: Forges = {}): ForgeAddress {
  const address = remoteAddress(url);
  const server = address && serverAddress(address, hostOf(address), { env, forges });
  return server ?? gitHubAddress(url, env, forges);
}

function gitHubAddress(url: string, env: Environment, forges: Forges): ForgeAddress {
  const named = serverOf(env);
  if (named?.problem !== undefined) return none(named.problem);
  const address = remoteAddress(url);
  if (!address) return namedRepository(env, named) ?? none("The remote is no address of a forge, but a folder or a program.");
  const host = hostOf(address);
  const other = others.find(([pattern]) => pattern.test(host))?.[1];
  if (other) return none(`A batch cannot open pull requests at ${other}: push the branches that it leaves, and open them there.`);
  const servers = [named?.host, env["GH_HOST"]?.toLowerCase()].flatMap((each) => (each && !isGitHub(each) ? [each] : []));
  if (!isGitHub(host) && !servers.includes(host) && forges[host] !== "github")
    return none(
      `It is not known which forge ${host} is. For GitLab: tool config set forges.${host} gitlab (or gitea, forgejo). For GitHub Enterprise: GH_HOST=${host}, and GH_ENTERPRISE_TOKEN or gh auth login.`,
    );
  const [owner, repository, ...rest] = address.path.split("/");
  if (!owner || !repository || rest.length > 0)
    return none(`The remote at ${host} names no repository of the form owner/name, but ${address.path || "nothing"}.`);
  const api = host === named?.host ? named.api : apiOf(host);
  return { kind: "github", host, api, owner, repository, tokens: tokensFor(host, servers) };
}

const none = (reason: string) => ({ kind: "none", reason }) as const;

type Server = { host: string; api: string; problem?: string };

/** GITHUB_API_URL, as GitHub's own runners set it. */
function serverOf(env: Environment): Server | undefined {
  const given = env["GITHUB_API_URL"];
  if (!given) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isSafe = url && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)));
  if (!isSafe)
    return {
      host: "",
      api: "",
      problem: "GITHUB_API_URL does not begin with https://, so others could read the token on its way.",
    };
  return {
    host: url.host.toLowerCase().replace(/^api\.(?=github\.com$|.*\.ghe\.com$)/, ""),
    api: `${url.origin}${url.pathname.replace(/\/+$/, "")}`,
  };
}

/** Used if the remote does not name a repository but GITHUB_REPOSITORY does. */
function namedRepository(env: Environment, server: Server | undefined): GitHubAddress | undefined {
  const [owner, repository] = /^([\w.-]+)\/([\w.-]+)$/.exec(env["GITHUB_REPOSITORY"] ?? "")?.slice(1) ?? [];
  if (!server || !owner || !repository) return undefined;
  return { kind: "github", ...server, owner, repository, tokens: tokensFor(server.host, [server.host]) };
}

function hostOf({ host, port, scheme }: { host: string; port: string; scheme: string }): string {
  if (host === "ssh.github.com" || host === "www.github.com") return "github.com";
  if (host === "altssh.gitlab.com") return "gitlab.com";
  return scheme === "ssh" || port === "" ? host : `${host}:${port}`;
}

const isGitHub = (host: string) => host === "github.com" || host.endsWith(".ghe.com");

function apiOf(host: string): string {
  return isGitHub(host) ? `https://api.${host}` : `https://${host}/api/v3`;
}

const { github: common, githubEnterprise: ofServers } = forgeTokens;

/**
 * As for `gh` (gh help environment), tokens for github.com are not used for other servers, unless the user named that server. Those of servers are for
 * the ones that are named, and else for those of the settings; `gh` would send them to any.
 */
function tokensFor(host: string, named: readonly string[]): string[] {
  if (isGitHub(host)) return common;
  if (named.includes(host)) return [...ofServers, ...common];
  return named.length === 0 ? ofServers : [];
}

/** Without the tokens that are not for this server. */
export function environmentFor({ tokens }: GitHubAddress, env: Environment): Record<string, string> {
  const isForeign = (name: string) => [...common, ...ofServers].includes(name) && !tokens.includes(name);
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && !isForeign(entry[0])),
  );
}

const others: [RegExp, string][] = [
  [/^bitbucket\./, "Bitbucket"],
  [/(?:^|\.)(?:dev\.azure|visualstudio)\.com$/, "Azure DevOps"],
  [/^(?:git\.)?sr\.ht$/, "SourceHut"],
];
