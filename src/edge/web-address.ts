// Which addresses are public. Anything not known to be public is private, and so is what belongs to this machine.
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Reach } from "../tools/web/web.ts";

/**
 * https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, read 2026-11; and the address at which Azure's
 * machines reach what runs them.
 */
export function reachOf(address: string): Reach {
  if (Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address))) return "private";
  switch (isIP(address)) {
    case 4:
      return special4.check(address, "ipv4") ? "private" : "public";
    case 6:
      return reachOf6(address);
    default:
      return "private";
  }
}

/** An address that embeds an IPv4 address is as public as that one; BlockList unwraps ::ffff:0:0/96 itself. */
function reachOf6(address: string): Reach {
  if (mapped.check(address, "ipv6")) return special4.check(address, "ipv6") ? "private" : "public";
  return global6.check(address, "ipv6") && !special6.check(address, "ipv6") ? "public" : "private";
}

function subnets(type: "ipv4" | "ipv6", list: string): BlockList {
  const blocks = new BlockList();
  for (const subnet of list.split(" ")) {
    const [net = "", prefix] = subnet.split("/");
    blocks.addSubnet(net, Number(prefix), type);
  }
  return blocks;
}

const special4 = subnets(
  "ipv4",
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32",
);
const mapped = subnets("ipv6", "::ffff:0:0/96");
const global6 = subnets("ipv6", "2000::/3");
/** Teredo, 6to4 and similar ranges embed an IPv4 address. */
const special6 = subnets("ipv6", "2001::/23 2001:db8::/32 2002::/16 3fff::/20");
