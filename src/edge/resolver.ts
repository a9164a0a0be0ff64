// How names are resolved: by the system, as for every program of this machine.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** All addresses of a name, or the address itself. Rejects with the resolver's error. */
export type AddressesOf = (hostname: string) => Promise<string[]>;

export const bySystem: AddressesOf = async (hostname) => {
  if (isIP(hostname)) return [hostname];
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};
