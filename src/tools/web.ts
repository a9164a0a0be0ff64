// What the WebFetch tool needs of the network. Each step of a way through redirects is one `get`, judged before it is made.

/** `private`: of this machine, its network, its cloud, or of nobody. */
export type Reach = "public" | "private";
export type Address = { address: string; reach: Reach };

export type GetOrder = {
  url: URL;
  /** Connections are made to one of these and to nothing else, whatever the name stands for by then. */
  addresses: Address[];
  /** Of the unpacked body; what comes after is not read. */
  maxBytes: number;
  signal: AbortSignal;
};

export type GetOutcome =
  | { kind: "redirect"; status: number; location: string }
  | { kind: "answer"; status: number; contentType: string; bytes: Buffer; cut: boolean }
  | { kind: "failed"; reason: string };

export interface Web {
  /** All addresses of a name, or of an address itself; throws what the name service says. */
  addresses(hostname: string): Promise<Address[]>;
  /** One GET without cookies or credentials. Never follows a redirect, never throws. */
  get(order: GetOrder): Promise<GetOutcome>;
}

/** May this address be got too? A private address behind a public name is asked for as the address that it is. */
export type JudgeUrl = (url: string, signal: AbortSignal) => Promise<UrlVerdict>;
/** `askedMs`: how long it took; a person may have been asked. */
export type UrlVerdict = ({ allowed: true } | { allowed: false; reason: string }) & { askedMs?: number };
