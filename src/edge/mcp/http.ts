// A server at an address. A session never opens a browser: it uses the tokens of the last login and renews them.
import type { Transport } from "@modelcontextprotocol/client";
import type { Server } from "../../mcp/server.ts";
import { fault } from "./fault.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { loginProvider, openLogin } from "./logins.ts";
import { StreamableHTTPClientTransport } from "./sdk.ts";

export type HttpOrder = { server: Extract<Server, { kind: "http" }>; name: string; configDir: string };

/** Time for the server to hear that its session has ended. */
const goodbyeMs = 500;

/** Throws a LinkFault if the address is none. */
export function httpTransport({ server, name, configDir }: HttpOrder): Transport {
  const url = URL.canParse(server.url) ? new URL(server.url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw fault("refused", `has no address for http or https: ${JSON.stringify(server.url)}`);
  const stored = openLogin(configDir, { name, url: server.url });
  const refuse = () => {
    throw fault("login", `needs a login, because the last one has ended: tool mcp login ${name}`);
  };
  const authProvider = stored.read()?.tokens && loginProvider({ stored, oauth: server.oauth, onAddress: refuse });
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: limitedFetch(),
    requestInit: { headers: { ...server.headers } },
    redirectPolicy: "same-origin",
    reconnectionOptions: { initialReconnectionDelay: 1_000, maxReconnectionDelay: 30_000, reconnectionDelayGrowFactor: 2, maxRetries: 2 },
    ...(authProvider && { authProvider }),
  });
  const close = transport.close.bind(transport);
  return Object.assign(transport, {
    async close() {
      const late = new Promise((resolve) => setTimeout(resolve, goodbyeMs).unref());
      await Promise.race([transport.terminateSession().catch(() => {}), late]); // it ends by itself where it cannot be told
      await close();
    },
  });
}
