// Which hosts are this machine or its own network, as far as the name alone shows.

/** `host` as in a URL: lower case, IPv4 as four numbers, IPv6 in brackets. What a name resolves to is judged when connecting. */
export function isPrivateHost(host: string): boolean {
  if (host.startsWith("[")) return isPrivateV6(host.slice(1, -1));
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return privateV4.test(host);
  return !host.includes(".") || /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|localdomain)$/.test(host);
}

/**
 * RFC 6890: this network, private, shared, loopback, link-local, protocol assignments, benchmarks, multicast, reserved; and the address at
 * which Azure's machines reach what runs them.
 */
const privateV4 =
  /^(0|10|127|22[4-9]|23\d|24\d|25[0-5])\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.168\.|^169\.254\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^198\.1[89]\.|^192\.0\.0\.|^168\.63\.129\.16$/;

function isPrivateV6(address: string): boolean {
  if (/^(::1?|f[cd].*|fe[89a-f].*|ff.*|64:ff9b:1:.*)$/.test(address)) return true;
  // An embedded IPv4 address: mapped, compatible, translated, tunnelled.
  const inner =
    /^(?:::ffff:(?:0:)?|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ??
    /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4})?:/.exec(address);
  if (!inner) return false;
  const [high, low] = [Number.parseInt(inner[1]!, 16), Number.parseInt(inner[2] ?? "0", 16)];
  return privateV4.test(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`);
}
