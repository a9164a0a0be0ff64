// Which kind an address is of, on this machine.
import { networkInterfaces } from "node:os";
import type { Reach } from "../tools/web/web.ts";
import { type AddressKind, kindOfAddress, plainAddress } from "../wording/address-kind.ts";

/** The addresses of its interfaces are of this machine, too. */
export function kindOf(address: string): AddressKind {
  const plain = plainAddress(address);
  const isOwn = Object.values(networkInterfaces()).some((list) => list?.some((own) => plainAddress(own.address) === plain));
  return isOwn ? "this machine" : kindOfAddress(address);
}

/** For who may reach only what is public. */
export const reachOf = (address: string): Reach => (kindOf(address) === "public" ? "public" : "private");
