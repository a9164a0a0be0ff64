// How names are resolved: by the system, as for every program of this machine.
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { errorText } from "../wording/error-text.ts";

/** All addresses of a name, or the address itself. Rejects with the resolver's error. */
export type AddressesOf = (hostname: string) => Promise<string[]>;

export const bySystem: AddressesOf = async (hostname) => {
  if (isIP(hostname)) return [hostname];
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/** For a connection to these addresses and no others, whatever the name leads to by then. Node asks for one of them or for all. */
export function onlyTo(addresses: readonly string[]): LookupFunction {
  const hosts = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, { all }, callback) => {
    const [first] = hosts;
    if (all) callback(null, hosts);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/** Where none of several addresses answers, what the first one said. */
export const connectionProblem = (error: unknown): string => errorText(error instanceof AggregateError ? error.errors[0] : error);
