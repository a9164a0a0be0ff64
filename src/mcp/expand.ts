// `${VAR}` and `${VAR:-default}` in the entry of a server, replaced when it is started.
import type { OAuthClient, Server } from "./server.ts";

export type Expanded = { ok: true; server: Server } | { ok: false; reason: string };

type Variables = Readonly<Record<string, string | undefined>>;

/** `missing`: continues a sentence about the texts that were filled so far; undefined if nothing is. */
export function filler(env: Variables): { filled(text: string): string; missing(): string | undefined } {
  const names = new Set<string>();
  return {
    filled: (text) =>
      text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_all, name: string, otherwise: string | undefined) => {
        const value = env[name];
        if (value !== undefined && (value !== "" || otherwise === undefined)) return value;
        if (otherwise === undefined) names.add(name);
        return otherwise ?? "";
      }),
    missing: () =>
      names.size === 0
        ? undefined
        : `${[...names].join(" and ")} ${names.size === 1 ? "is" : "are"} not set, and the entry gives no default`,
  };
}

/** The reason names every variable that is missing. `env`: what the place of the entry may read. */
export function expanded(server: Server, env: Variables): Expanded {
  const { filled, missing } = filler(env);
  const all = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));
  const made: Server =
    server.kind === "stdio"
      ? { ...server, command: filled(server.command), args: server.args.map(filled), env: all(server.env) }
      : { ...server, url: filled(server.url), headers: all(server.headers), oauth: clientOf(server.oauth, filled) };
  const reason = missing();
  return reason === undefined ? { ok: true, server: made } : { ok: false, reason };
}

function clientOf(oauth: OAuthClient, filled: (text: string) => string): OAuthClient {
  const { clientId, clientSecret } = oauth;
  return {
    ...oauth,
    ...(clientId !== undefined && { clientId: filled(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: filled(clientSecret) }),
  };
}
