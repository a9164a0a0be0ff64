// The position of each value in a JSON text, so that errors in a settings file can name the line.

export type JsonPath = readonly PropertyKey[];

/** Offsets of a value, and of the key before it. */
export type JsonPlace = { key: number; start: number; end: number };

export type JsonPlaces = {
  /** Counted from 1; if the value does not exist, the line of the nearest enclosing one. */
  line(path: JsonPath): number;
  at(path: JsonPath): JsonPlace | undefined;
  /** The path of the first duplicate key. */
  repeated?: JsonPath;
};

/** `fault`: where the text stops being JSON. */
export function jsonPlaces(text: string): { places: JsonPlaces } | { fault: { line: number; reason: string } } {
  const found = new Map<string, JsonPlace>();
  let repeated: JsonPath | undefined;
  const note = (path: JsonPath, place: JsonPlace) => {
    const name = nameOf(path);
    if (found.has(name)) repeated ??= path;
    found.set(name, place);
  };
  try {
    scan(text, note);
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    return { fault: { line: lineAt(text, error.offset), reason: error.message } };
  }
  const at = (path: JsonPath) => found.get(nameOf(path));
  const line = (path: JsonPath): number => {
    const place = at(path);
    return place || path.length === 0 ? lineAt(text, place?.key ?? 0) : line(path.slice(0, -1));
  };
  return { places: { at, line, ...(repeated && { repeated }) } };
}

const nameOf = (path: JsonPath) => JSON.stringify(path.map(String));
const lineAt = (text: string, offset: number) => text.slice(0, offset).split("\n").length;

class NoJson extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** RFC 8259. Nesting is limited to a depth that no settings need. */
function scan(text: string, note: (path: JsonPath, place: JsonPlace) => void): void {
  let at = 0;
  const blanks = () => {
    while (/[ \t\r\n]/.test(text.charAt(at))) at++;
  };
  const fail = (expected: string): never => {
    if (/^\/[/*]/.test(text.slice(at, at + 2))) throw new NoJson(at, "it has a comment, and JSON has none. Remove it");
    const there = text.charAt(at);
    throw new NoJson(at, `expected ${expected} but found ${there ? JSON.stringify(there) : "the end of the file"}`);
  };
  const take = (form: RegExp, what: string): string => {
    form.lastIndex = at;
    const match = form.exec(text)?.[0] ?? fail(what);
    at += match.length;
    return match;
  };
  const list = (end: string, item: (index: number) => void) => {
    at++;
    blanks();
    if (text.charAt(at) === end) return void at++;
    for (let index = 0; ; index++) {
      item(index);
      blanks();
      if (text.charAt(at) === end) return void at++;
      if (text.charAt(at) !== ",") fail(`"," or "${end}"`);
      const comma = at++;
      blanks();
      if (text.charAt(at) === end) throw new NoJson(comma, `it has a comma before "${end}", and JSON has none there. Remove it`);
    }
  };
  const value = (path: JsonPath, key: number) => {
    if (path.length > 100) fail("brackets nested less deeply");
    const start = at;
    const sign = text.charAt(at);
    if (sign === "{") {
      list("}", () => {
        const from = at;
        const name = JSON.parse(take(string, "a key in double quotes")) as string;
        blanks();
        if (text.charAt(at) !== ":") fail('":"');
        at++;
        blanks();
        value([...path, name], from);
      });
    } else if (sign === "[") list("]", (index) => value([...path, index], at));
    else take(sign === '"' ? string : scalar, "a value");
    note(path, { key, start, end: at });
  };
  blanks();
  value([], at);
  blanks();
  if (at < text.length) fail("nothing more");
}

const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

/** The value of a JSON text, or the reason why it is none, with the line. */
export function readableJson(text: string): { ok: true; value: unknown } | { ok: false; reason: string } {
  const plain = text.replace(/^\uFEFF/, "");
  const scanned = jsonPlaces(plain);
  return "fault" in scanned
    ? { ok: false, reason: `line ${scanned.fault.line}: ${scanned.fault.reason}` }
    : { ok: true, value: JSON.parse(plain) };
}
