// `${VAR}` and `${VAR:-default}` in the entry of a server, replaced when it is started.
import type { OAuthClient, Server } from "./server.ts";

export type Expanded = { ok: true; server: Server } | { ok: false; reason: string };

/** The reason names every variable that is missing. `env`: what the place of the entry may read. */
export function expanded(server: Server, env: Readonly<Record<string, string | undefined>>): Expanded {
  const missing = new Set<string>();
  const filled = (text: string) =>
    text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_all, name: string, otherwise: string | undefined) => {
      const value = env[name];
      if (value !== undefined && (value !== "" || otherwise === undefined)) return value;
      if (otherwise === undefined) missing.add(name);
      return otherwise ?? "";
    });
  const all = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));
  const made: Server =
    server.kind === "stdio"
      ? { ...server, command: filled(server.command), args: server.args.map(filled), env: all(server.env) }
      : { ...server, url: filled(server.url), headers: all(server.headers), oauth: clientOf(server.oauth, filled) };
  if (missing.size === 0) return { ok: true, server: made };
  const names = [...missing];
  return { ok: false, reason: `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} not set, and the entry gives no default` };
}

function clientOf(oauth: OAuthClient, filled: (text: string) => string): OAuthClient {
  const { clientId, clientSecret } = oauth;
  return {
    ...oauth,
    ...(clientId !== undefined && { clientId: filled(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: filled(clientSecret) }),
  };
}
