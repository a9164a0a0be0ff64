// Kinds of addresses of the internet: the one table of them, for what asks a person about one and for what connects to it.

/**
 * `private`: of a private network. `this machine`: loopback and unspecified. `link-local`: with those at which a cloud gives its machines credentials.
 * `none`: of no host, or no address at all.
 */
export type AddressKind = "public" | "private" | "this machine" | "link-local" | "none";

/** Anything not known to be public is not. One of IPv6 that contains an address of IPv4 is of that one's kind. */
export function kindOfAddress(address: string): AddressKind {
  const bits = bitsOf(plainAddress(address));
  const row = rows.find(([, nets]) => nets.some(({ length, prefix }) => length === bits.length && bits.startsWith(prefix)));
  return row?.[0] ?? (bits.length === 32 ? "public" : "none");
}

/** In one notation, without brackets and zone, and as the address of IPv4 that it contains; empty if it is none. */
export function plainAddress(address: string): string {
  const [bare = ""] = address.replace(/^\[|\]$/g, "").split("%");
  if (/^\d+\.\d+\.\d+\.\d+$/.test(bare)) return bare.split(".").every((part) => Number(part) < 256) ? bare : "";
  if (!bare.includes(":") || !URL.canParse(`http://[${bare}]/`)) return "";
  const written = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  return dotted(groupsOf(written)) ?? written;
}

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

const rows = table.map(([kind, nets]) => [kind, nets.split(" ").map(netOf)] as const);

function netOf(net: string): { length: number; prefix: string } {
  const [start = "", size] = net.split("/");
  const bits = bitsOf(start);
  return { length: bits.length, prefix: bits.slice(0, Number(size)) };
}

/** 32 or 128 of them, or none. */
function bitsOf(plain: string): string {
  const binary = (numbers: number[], width: number) => numbers.map((one) => one.toString(2).padStart(width, "0")).join("");
  if (plain === "") return "";
  return plain.includes(":") ? binary(groupsOf(plain), 16) : binary(plain.split(".").map(Number), 8);
}

/** The eight numbers of an address of IPv6 as URLs have it. */
function groupsOf(written: string): number[] {
  const [before = [], after] = written.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(8 - before.length - (after?.length ?? 0)).fill("0");
  return [...before, ...(after ? [...zeros, ...after] : [])].map((group) => Number.parseInt(group, 16));
}

/** Mapped, translated, compatible (RFC 4291 §2.5.5, RFC 2765), through NAT64 (RFC 6052) or 6to4 (RFC 3056). */
function dotted(groups: number[]): string | undefined {
  const start = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":");
  const isCompatible = start === "0:0:0:0:0:0" && groups[6] !== 0;
  const at = groups[0] === 0x2002 ? 1 : isCompatible || holdsOther.test(start) ? 6 : undefined;
  if (at === undefined) return undefined;
  return groups
    .slice(at, at + 2)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

const holdsOther = /^(?:0:0:0:0:0:ffff|0:0:0:0:ffff:0|64:ff9b:0:0:0:0)$/;
