// The network of a session's commands on macOS: the sandbox's profile lets them reach this port of a proxy of this process, and nothing else.
// Written from the documentation of sandbox-exec(1) and not yet run.
import type { AddressInfo } from "node:net";
import type { CommandNetwork, NetworkRequest } from "../../agent/ports/network-port.ts";
import { filteringProxy } from "./filtering-proxy.ts";
import { proxyVariables } from "./proxy-variables.ts";

export async function loopbackProxy(request: NetworkRequest): Promise<CommandNetwork> {
  const proxy = filteringProxy(request);
  await new Promise<void>((resolve, reject) => proxy.once("error", reject).listen(0, "127.0.0.1", resolve));
  proxy.unref();
  const { port } = proxy.address() as AddressInfo;
  const close = () => {
    proxy.close();
    proxy.closeAllConnections();
  };
  return { enter: [], port, env: () => proxyVariables(`http://127.0.0.1:${port}`, process.env, request.isNamed), close };
}
