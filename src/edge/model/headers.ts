// Replaces `Headers` in the bundle for the provider's client and our fetch (build.js, with the measured gain): Node's own class loads the
// whole global fetch. Only the part that those two use. Semantics: https://fetch.spec.whatwg.org/#headers-class

type Init = Iterable<readonly [string, string]> | Record<string, string>;

export class Headers {
  readonly #values = new Map<string, string>();

  constructor(init: Init = {}) {
    for (const [name, value] of Symbol.iterator in init ? init : Object.entries(init)) this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), trimmed(value));
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.#values.set(name.toLowerCase(), before === null ? trimmed(value) : `${before}, ${trimmed(value)}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  /** Sorted by name. */
  entries(): IterableIterator<[string, string]> {
    return [...this.#values].toSorted(([a], [b]) => (a < b ? -1 : 1)).values();
  }

  forEach(each: (value: string, name: string) => void): void {
    for (const [name, value] of this) each(value, name);
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

function trimmed(value: string): string {
  return String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
}
