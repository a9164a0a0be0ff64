// The logins at remote servers: tokens and the client that was registered for them, in a file that only the person can read. Read again for each request,
// because another process of the person may have renewed them.
import { createHash } from "node:crypto";
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { z } from "zod";
import type { OAuthClient } from "../../mcp/server.ts";
import { disk } from "../disk/disk.ts";

const login = z.object({
  version: z.literal(1),
  name: z.string(),
  url: z.string(),
  /** The only address that gets a code. */
  redirect: z.string(),
  client: z.custom<StoredOAuthClientInformation>((value) => z.object({ client_id: z.string() }).safeParse(value).success).optional(),
  tokens: z.custom<StoredOAuthTokens>((value) => z.object({ access_token: z.string() }).safeParse(value).success).optional(),
});
export type Login = z.infer<typeof login>;

export type StoredLogin = { read(): Login | undefined; write(login: Login): void; remove(): void };

/** By name and address: another server of that name, or the same address under another name, does not get its tokens. */
export function openLogin(configDir: string, { name, url }: { name: string; url: string }): StoredLogin {
  const folder = `${configDir}/mcp/logins`;
  const file = `${folder}/${createHash("sha256")
    .update(JSON.stringify([name, url]))
    .digest("hex")
    .slice(0, 32)}.json`;
  return {
    read() {
      try {
        const text = disk.read(file)?.toString("utf8");
        return text === undefined ? undefined : login.safeParse(JSON.parse(text)).data;
      } catch {
        return undefined; // damaged: the person logs in again
      }
    },
    write(one) {
      disk.makeFolder(folder);
      disk.replace(file, `${JSON.stringify(one)}\n`);
    },
    remove: () => disk.remove(file),
  };
}

export type ProviderOrder = {
  stored: StoredLogin;
  oauth: OAuthClient;
  /** Called with the address where the person agrees. */
  onAddress(url: URL): void;
  /** For a login: what is stored only when it has succeeded. */
  fresh?: { login: Login; state: string };
};

/** For the library's flow. Without `fresh` it only renews what is stored. */
export function loginProvider({ stored, oauth, onAddress, fresh }: ProviderOrder): OAuthClientProvider {
  let verifier = "";
  let shown: StoredOAuthTokens | undefined;
  let discovered: OAuthDiscoveryState | undefined;
  const now = () => fresh?.login ?? stored.read();
  const change = (part: Partial<Login>) => {
    const before = now();
    if (!before) return;
    if (fresh) fresh.login = { ...before, ...part };
    const next = { ...before, ...part };
    if (next.tokens) stored.write(next);
  };
  return {
    redirectUrl: now()?.redirect,
    clientMetadata: {
      client_name: "tool",
      redirect_uris: [now()?.redirect ?? ""],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(oauth.scope !== undefined && { scope: oauth.scope }),
    },
    // The code goes to the authorization server at which the person has agreed, whatever the server says of it meanwhile.
    ...(fresh && {
      state: () => fresh.state,
      saveDiscoveryState(found: OAuthDiscoveryState) {
        discovered = found;
      },
      discoveryState: () => discovered,
    }),
    clientInformation() {
      const { clientId: client_id, clientSecret: client_secret } = oauth;
      return client_id === undefined ? now()?.client : { client_id, ...(client_secret !== undefined && { client_secret }) };
    },
    saveClientInformation: (client) => change({ client }),
    tokens() {
      shown = now()?.tokens;
      return shown;
    },
    saveTokens: (tokens) => change({ tokens }),
    redirectToAuthorization: onAddress,
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    invalidateCredentials(scope) {
      if (fresh) fresh.login = { ...fresh.login, ...(scope !== "tokens" && { client: undefined }), tokens: undefined };
      // Another process may have renewed them meanwhile.
      else if (stored.read()?.tokens?.access_token === shown?.access_token && scope !== "verifier" && scope !== "discovery")
        stored.remove();
    },
  };
}
