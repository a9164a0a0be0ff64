// The proxy that the person's variables name for an address: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, in either case.
import type { Agent, AgentOptions } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import { getProxyForUrl } from "proxy-from-env";

export type ThroughProxy = {
  agent: Agent;
  /** Without a name and password. */
  proxy: string;
};

/** The way to addresses of one client. Connections are kept as `options` says. */
export function proxies(options: AgentOptions): (url: URL) => Promise<ThroughProxy | undefined> {
  const known = new Map<string, Promise<Agent>>();
  return async (url) => {
    const proxy = isOwnMachine(url) || isExempt(url) ? "" : withScheme(getProxyForUrl(url.href));
    if (proxy === "") return undefined;
    if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) throw proxyError("is not an http address", proxy);
    const key = `${url.protocol} ${proxy}`;
    const agent = known.get(key) ?? agentThrough(proxy, { secure: url.protocol === "https:", options });
    known.set(key, agent);
    return { agent: await agent, proxy: new URL(proxy).origin };
  };
}

/** An error of a connection that a proxy is on the way of, told apart by its code. */
export function proxyError(code: string, proxy: string): Error {
  return Object.assign(new Error(code), { code, proxy: URL.canParse(proxy) ? withoutLogin(new URL(proxy)) : proxy });
}

/** Of any scheme: those of other ones than HTTP have no origin. */
const withoutLogin = ({ protocol, host }: URL) => `${protocol}//${host}`;

/** A name without a scheme is one for plain HTTP, and would be taken for one for the scheme of what is asked. */
function withScheme(proxy: string): string {
  if (!proxy.startsWith("https://")) return proxy;
  const bare = proxy.slice("https://".length);
  return Object.entries(process.env).some(([name, value]) => /^(https|all)_proxy$/i.test(name) && value === bare)
    ? `http://${bare}`
    : proxy;
}

/** No proxy leads back to this machine: as browsers have it, without being told. */
function isOwnMachine({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}

/**
 * By NO_PROXY as curl reads it: a name with all names below it, with or without a dot before it, an address or a network of addresses, each with a
 * port or for all ports. The library knows only the exact forms.
 */
function isExempt({ hostname, port, protocol }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const at = port || (protocol === "https:" ? "443" : "80");
  const list = process.env["no_proxy"] || process.env["NO_PROXY"] || "";
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const { name = "", only = at } = /^\[?(?<name>.*?)\]?(?::(?<only>\d+))?$/.exec(isIPv6(entry) ? `[${entry}]` : entry)?.groups ?? {};
      if (name === "" || only !== at) return false;
      const plain = name.replace(/^\*?\./, "");
      return isIP(host) ? isInNetwork(host, plain) : host === plain || host.endsWith(`.${plain}`);
    });
}

/** `network`: an address, or with the number of its leading bits those that begin alike. */
function isInNetwork(address: string, network: string): boolean {
  const [base = "", bits] = network.split("/");
  const [version, most] = isIPv6(base) ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
  if (isIP(base) === 0 || isIPv6(address) !== isIPv6(base) || Number(bits ?? most) > most || !/^\d*$/.test(bits ?? "")) return false;
  const networks = new BlockList();
  networks.addSubnet(base, Number(bits || most), version);
  return networks.check(address, version);
}

async function agentThrough(proxy: string, { secure, options }: { secure: boolean; options: AgentOptions }): Promise<Agent> {
  if (secure) {
    const { HttpsProxyAgent } = await import("https-proxy-agent");
    return new HttpsProxyAgent(proxy, options);
  }
  const { HttpProxyAgent } = await import("http-proxy-agent");
  return new HttpProxyAgent(proxy, options);
}
