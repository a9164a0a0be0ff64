// The network as WebFetch uses it. Each step of a redirect chain is one `get`, judged before it is made.

/** `private`: of this machine, its network, its cloud, or unassigned. */
export type Reach = "public" | "private";
export type Address = { address: string; reach: Reach };

export type GetOrder = {
  url: URL;
  /** Connects to one of these addresses only, whatever the name resolves to by then. */
  addresses: Address[];
  /** Limit for the decompressed body; the rest is not read. */
  maxBytes: number;
  signal: AbortSignal;
  /** When the connection opens, while it carries bytes, and at its end; `more`: since the last report. In bytes. */
  onTraffic: (carried: { sent: number; received: number; more?: true }) => void;
};

export type GetOutcome =
  | { kind: "redirect"; location: string }
  | { kind: "answer"; status: number; contentType: string; bytes: Buffer; cut: boolean }
  | { kind: "failed"; reason: string };

export interface Web {
  /** All addresses of a name, or of a literal address; throws the resolver's error. */
  addresses(hostname: string): Promise<Address[]>;
  /** One GET without cookies or credentials. Never follows a redirect, never throws. */
  get(order: GetOrder): Promise<GetOutcome>;
}

/** Whether this address may be fetched too. A private address behind a public name is judged as that address. */
export type JudgeUrl = (url: string, signal: AbortSignal) => Promise<UrlVerdict>;
/** `askedMs`: how long it took, since the user may have been asked. */
export type UrlVerdict = ({ allowed: true } | { allowed: false; reason: string }) & { askedMs?: number };
