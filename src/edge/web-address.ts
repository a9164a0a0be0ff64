// Which kind an address is of: the one table of them. Anything not known to be public is not.
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { AddressKind } from "../agent/ports/network-port.ts";
import type { Reach } from "../tools/web/web.ts";

/** Of no kind if it is no address. One of IPv6 that contains an address of IPv4 is of that one's kind. */
export function kindOf(address: string): AddressKind {
  const plain = plainAddress(address);
  const own = Object.values(networkInterfaces()).some((list) => list?.some((one) => plainAddress(one.address) === plain));
  if (own) return "this machine";
  const type = ({ 4: "ipv4", 6: "ipv6" } as const)[isIP(plain)];
  return (type && subnets.find(([, blocks]) => blocks.check(plain, type))?.[0]) ?? (type === "ipv4" ? "public" : "none");
}

/** For who may reach only what is public. */
export const reachOf = (address: string): Reach => (kindOf(address) === "public" ? "public" : "private");

/**
 * https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, read 2026-11. Of IPv6, only 2000::/3 is assigned to
 * the public. The first row that has an address counts; `link-local` also has the other addresses at which clouds (Azure, AWS, Google, Alibaba, Oracle)
 * give their machines credentials and settings.
 */
const table: [AddressKind, string][] = [
  ["this machine", "127.0.0.0/8 0.0.0.0/32 ::1/128 ::/128"],
  ["link-local", "169.254.0.0/16 168.63.129.16/32 100.100.100.200/32 192.0.0.192/32 fe80::/10 fd00:ec2::/32 fd20:ce::/64"],
  ["private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 fc00::/7 fec0::/10 64:ff9b:1::/48"],
  ["none", "0.0.0.0/8 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"],
  ["none", "2001::/23 2001:db8::/32 3fff::/20"],
  ["public", "2000::/3"],
];

const subnets = table.map(([kind, list]): [AddressKind, BlockList] => {
  const blocks = new BlockList();
  for (const subnet of list.split(" ")) {
    const [net = "", prefix] = subnet.split("/");
    blocks.addSubnet(net, Number(prefix), net.includes(":") ? "ipv6" : "ipv4");
  }
  return [kind, blocks];
});

/** In one notation, without its zone; the address of IPv4 in it, if it has one. */
function plainAddress(address: string): string {
  const [bare = ""] = address.split("%");
  if (isIP(bare) !== 6) return bare;
  const written = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [before = [], after] = written.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(8 - (before.length + (after?.length ?? 0))).fill("0");
  const groups = [...before, ...(after ? [...zeros, ...after] : [])].map((group) => Number.parseInt(group, 16));
  const inner = groupsOf4(groups);
  return inner ? inner.flatMap((group) => [group >> 8, group & 255]).join(".") : written;
}

/** Mapped, translated, compatible (RFC 4291 §2.5.5, RFC 2765), through NAT64 (RFC 6052) or 6to4 (RFC 3056). */
function groupsOf4(groups: number[]): number[] | undefined {
  const start = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":");
  if (groups[0] === 0x2002) return groups.slice(1, 3);
  if (/^(?:0:0:0:0:0:ffff|0:0:0:0:ffff:0|64:ff9b:0:0:0:0)$/.test(start)) return groups.slice(6);
  return start === "0:0:0:0:0:0" && groups[6] !== 0 ? groups.slice(6) : undefined;
}
