// What the person's word about a host opens, by the kind of the address that it leads to: the answer of a resolver is not their word.
import type { AddressKind } from "../../../wording/address-kind.ts";

/**
 * What the person has said. `address`: a rule names the address itself. `itself`: one names this name, which says that it is this machine. `name`: one
 * names exactly this name. `other`: a wildcard, or an answer that counts once.
 */
type Word = "address" | "itself" | "name" | "other";

/** `ask`: the person is asked, with the address. */
export type Way = "open" | "ask" | "no";

const ways: Record<AddressKind, Record<Word, Way>> = {
  public: { address: "open", itself: "open", name: "open", other: "open" },
  private: { address: "open", itself: "open", name: "open", other: "ask" },
  "this machine": { address: "open", itself: "open", name: "ask", other: "ask" },
  "link-local": { address: "open", itself: "no", name: "no", other: "no" },
  none: { address: "no", itself: "no", name: "no", other: "no" },
};

/** How an allowed host reaches an address of that kind to which it leads. `isNamed`: whether a rule of the person's names exactly this host or address. */
export function wayTo(host: string, { address, kind }: { address: string; kind: AddressKind }, isNamed: (host: string) => boolean): Way {
  const word: Word = isNamed(address) ? "address" : !isNamed(host) ? "other" : saysThisMachine.test(host) ? "itself" : "name";
  return ways[kind][word];
}

/** RFC 6761 §6.3, and what Debian writes in /etc/hosts. */
const saysThisMachine = /^(?:(?:.*\.)?localhost|ip6-localhost|ip6-loopback)$/;

/** Continues "x leads to 10.0.0.1, ". */
export const kindText: Record<AddressKind, string> = {
  public: "a public address",
  private: "an address of a private network",
  "this machine": "an address of this machine",
  "link-local": "a link-local address, or where a cloud gives its machines credentials",
  none: "an address of no host (multicast, reserved or for documents)",
};
