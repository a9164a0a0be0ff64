// GitLab, Gitea and Forgejo: which of them a host is, and the variables that hold a token which was made for that host. Pure.
import type { ForgeKind, Forges } from "../../settings/settings.ts";
import { isLoopback, type RemoteAddress } from "../git/remote-address.ts";
import { forgeTokens } from "./forge-tokens.ts";

type Environment = Record<string, string | undefined>;

export type ServerAddress = {
  /** Forgejo speaks Gitea's API. */
  kind: "gitlab" | "gitea";
  product: "GitLab" | "Gitea" | "Forgejo";
  host: string;
  /** Without a trailing slash. */
  api: string;
  /** `owner/name`; at GitLab `group/subgroup/name` too. */
  repository: string;
  /** Names of variables; the first one that is set counts. */
  tokens: string[];
};

type Own = Exclude<ForgeKind, "github">;
type Family = Pick<ServerAddress, "kind" | "product"> & {
  /** Where the API is below the server's address. */
  api: string;
  /** Whether a repository may lie deeper than `owner/name`. */
  hasSubgroups: boolean;
  /** The server for which its token is made if no variable names another. */
  home: string;
  /** The first that is set names the only server that gets the token. */
  servers: string[];
};

const gitea = { kind: "gitea", api: "/api/v1", hasSubgroups: false } as const;

/** The variables are those of glab, of tea, and of the programs for Forgejo, read 2026-11. */
const families: Record<Own, Family> = {
  gitlab: {
    kind: "gitlab",
    product: "GitLab",
    api: "/api/v4",
    hasSubgroups: true,
    home: "gitlab.com",
    servers: ["GITLAB_HOST", "GL_HOST"],
  },
  gitea: { ...gitea, product: "Gitea", home: "gitea.com", servers: ["GITEA_INSTANCE_URL", "GITEA_SERVER_URL"] },
  forgejo: { ...gitea, product: "Forgejo", home: "codeberg.org", servers: ["FORGEJO_URL"] },
};
const names = Object.keys(families) as Own[];

type Server = { variable: string; host: string; base: string; isSafe: boolean };

/** Undefined if the host is none of them. `reason`: one sentence that says what to do. A name such as gitlab.example.org is not enough for a token. */
export function serverAddress(
  { scheme, path }: RemoteAddress,
  host: string,
  { env, forges }: { env: Environment; forges: Forges },
): ServerAddress | { kind: "none"; reason: string } | undefined {
  const isHere = (server: Server | undefined) =>
    server !== undefined && (server.host === host || (scheme === "ssh" && server.host.replace(/:\d+$/, "") === host));
  const named = forges[host];
  if (named === "github") return undefined;
  const own =
    named ??
    names.find((name) => isHere(serverOf(name, env))) ??
    names.find((name) => families[name].home === host) ??
    names.find((name) => new RegExp(`(?:^|\\.)${name}\\.`).test(host));
  if (own === undefined) return undefined;
  const { kind, product, api, hasSubgroups } = families[own];
  const alike = names.filter((name) => families[name].kind === kind);
  const server = alike.map((name) => serverOf(name, env)).find(isHere);
  if (server && !server.isSafe)
    return { kind: "none", reason: `${server.variable} does not begin with https://, so others could read the token on its way.` };
  const isMeant = (name: Own) => {
    const other = serverOf(name, env);
    return other ? isHere(other) : families[name].home === host || named === name;
  };
  const tokens = alike.filter(isMeant).flatMap((name) => forgeTokens[name]);
  if (tokens.length === 0) return { kind: "none", reason: unnamed(host, { own, env }) };
  const base = server?.base ?? `${scheme === "http" && isLoopback(host.replace(/:\d+$/, "")) ? "http" : "https"}://${host}`;
  const repository = scheme === "ssh" ? path : within(path, new URL(base).pathname.slice(1));
  const parts = repository.split("/");
  if (parts.length < 2 || parts.includes("") || (!hasSubgroups && parts.length > 2))
    return { kind: "none", reason: `The remote at ${host} names no repository of the form owner/name, but ${path || "nothing"}.` };
  return { kind, product, host, api: `${base}${api}`, repository, tokens };
}

/** The path in a server that is not at the root of its host. */
const within = (path: string, folder: string) => (folder && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path);

function unnamed(host: string, { own, env }: { own: Own; env: Environment }): string {
  const { product, servers } = families[own];
  const [token] = forgeTokens[own];
  const other = serverOf(own, env);
  if (other)
    return `${token} is for ${other.host}, which ${other.variable} names, and is not sent to ${host}. Set ${other.variable}=${host}.`;
  return `${host} looks like ${product}, but nothing says that ${token} is for it. Set ${servers[0]}=https://${host}, or: tool config set forges.${host} ${own}.`;
}

/** The server that a variable names, by its host or its address. */
function serverOf(name: Own, env: Environment): Server | undefined {
  const variable = families[name].servers.find((each) => env[each]);
  const given = variable && env[variable]!;
  if (!variable || !given) return undefined;
  const text = given.includes("://") ? given : `https://${given}`;
  if (!URL.canParse(text)) return { variable, host: given, base: "", isSafe: false };
  const { protocol, host, hostname, origin, pathname } = new URL(text);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  return { variable, host, base: `${origin}${pathname.replace(/\/+$/, "")}`, isSafe };
}
