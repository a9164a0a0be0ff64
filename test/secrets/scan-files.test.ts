// Secrets in files, as findings with their lines.
import { expect, it } from "vitest";
import { allowMark, findingLine, type ScanOptions, scanFiles } from "../../src/secrets/scan-files.ts";

const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const scan = (files: Record<string, string>, options: Partial<ScanOptions> = {}) =>
  scanFiles(
    Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
    { scanner: async () => [], names: "keys", ...options },
  );

it("scanFiles() names file, line and kind, and counts what it left out", async () => {
  const found = await scan({ "a.ts": `x\nconst t = "${secret}"\n`, "b.bin": `\0${secret}`, "c.ts": `t = "${secret}" // ${allowMark}` });
  expect(found).toMatchObject({ files: 3, binaries: 1, allowed: 1, findings: [{ file: "a.ts", line: 2, kind: "github-token" }] });
  expect(findingLine(found.findings[0]!)).toBe("a.ts:2  github-token  ghp_… (40 characters)");
});

it("scanFiles() lists what could not be read and what git ignores, and scans the rest", async () => {
  const unread = { path: "closed/", why: "permission denied" };
  const sources = [unread, { path: "made/", ignored: true as const }, { path: "a.ts", bytes: Buffer.from("x") }];
  expect(await scanFiles(sources, { scanner: async () => [], names: "keys" })).toEqual({
    findings: [],
    files: 1,
    binaries: 0,
    unread: [unread],
    ignored: ["made/"],
    allowed: 0,
  });
});

it("scanFiles() can ignore the mark, and leave out what was there before", async () => {
  const files = { "c.ts": `t = "${secret}" // ${allowMark}` };
  expect(await scan(files, { marks: "are ignored" })).toMatchObject({ allowed: 0, findings: [{ line: 1 }] });
  expect(await scan(files, { marks: "are ignored", isOld: async (value) => value === secret })).toMatchObject({ findings: [] });
});

it("scanFiles() finds files by their names: keys always, an .env file in a commit", async () => {
  const files = { ".env": "A=1", id_rsa: "x" };
  expect((await scan(files)).findings.map(({ file }) => file)).toEqual(["id_rsa"]);
  expect((await scan(files, { names: "commit" })).findings.map(({ file }) => file)).toEqual([".env", "id_rsa"]);
});
