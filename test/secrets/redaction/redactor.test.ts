import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandReader } from "../../../src/agent/ports/command-reader.ts";
import { outboundFilter } from "../../../src/agent/workspace/outbound-filter.ts";
import { files } from "../../../src/edge/disk/files.ts";
import { matchingLines } from "../../../src/edge/matching-lines.ts";
import { secretScanner } from "../../../src/edge/secret-scanner.ts";
import { guardDisk } from "../../../src/permissions/guard.ts";
import { ignorePatterns } from "../../../src/permissions/paths/ignore-patterns.ts";
import { redactingDisk } from "../../../src/secrets/redaction/redacting-disk.ts";
import { createRedactor, type Redactor, type SecretsMode } from "../../../src/secrets/redaction/redactor.ts";
import type { Disk } from "../../../src/tools/disk.ts";
import { writeTool } from "../../../src/tools/files/write.ts";
import { fileTools } from "../../../src/tools/set.ts";
import { seeded } from "../../process/seeded.ts";
import { policyFor } from "../../tools/agent.ts";
import { type Tree, tree } from "../../tools/tree.ts";
import { draw } from "../labelled.ts";

const random = seeded(20261121);
const scanner = secretScanner();
const token = `ghp_${draw("base62", 36, random)}`;
const otherToken = `ghp_${draw("base62", 36, seeded(7))}`;
const password = draw("password", 0, random);
const body = draw("pem", 4, random);
const key = `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${body}\n-----END RSA ${"PRIVATE"} KEY-----\n`;

const redactor = (mode: SecretsMode = "redact", variables: { name: string; value: string }[] = [], after = 0) =>
  createRedactor({ mode, scanner, variables, after });

/** Parts of nine characters of the secret that the text contains, ignoring white space and backslashes. */
function remains(text: string, secret: string): string[] {
  const bare = (value: string) => value.replaceAll(/\\[nrt]|[\s\\]/g, "");
  const [inText, wanted] = [bare(text), bare(secret)];
  return Array.from({ length: Math.max(0, wanted.length - 8) }, (_, at) => wanted.slice(at, at + 9)).filter((piece) =>
    inText.includes(piece),
  );
}

describe("text()", () => {
  it("replaces a secret by a labelled placeholder, the same for the same secret", async () => {
    const subject = redactor();
    expect(await subject.text(`TOKEN=${token}\npassword = "${password}"\nagain ${token}`)).toEqual({
      text: 'TOKEN=[secret:github-token:1]\npassword = "[secret:password:2]"\nagain [secret:github-token:1]',
      kinds: ["github-token", "password", "github-token"],
    });
    expect((await subject.text(`later: ${token}`)).text).toBe("later: [secret:github-token:1]");
  });

  it.each([
    ["repeated, and alone on a line", `a = "${token}"\n${token}\n  ${token}${token}`],
    ["cut at either end", `token: ${token}\n${token.slice(0, 25)}\n${token.slice(14)}`],
    ["broken over lines", `token: ${token}\n${token.slice(0, 12)}\n    ${token.slice(12, 25)}\n    ${token.slice(25)}`],
    ["in JSON within JSON", JSON.stringify({ log: JSON.stringify({ token, next: `\n${token}\n` }) })],
    ["in a URL", `https://host/?token=${encodeURIComponent(token)}&x=1`],
    ["in a listing with line numbers", `1\ttoken=${token}\n2\t${token}`],
    [
      "between zero bytes, colours and characters without width",
      `token: ${token}\n${token.split("").join("\0")}\n${token.replace(/.{9}/g, "$&\u001b[31m\u200b")}`,
    ],
    ["in a difference", `-token = "${token}"\n+token = "${token}"`],
  ])("leaves no nine characters of it: %s", async (_, text) => {
    expect(remains((await redactor().text(text)).text, token)).toEqual([]);
  });

  it.each([0, 1, 2].map((shift) => ["ab".slice(0, shift), shift] as const))("finds it in other encodings after %j", async (before) => {
    const subject = redactor();
    await subject.text(`TOKEN=${token}`);
    const bytes = Buffer.from(`${before}${token}`);
    const written = [
      bytes.toString("base64"),
      bytes.toString("hex"),
      bytes.toString("hex").replaceAll(/.{4}/g, "$& "),
      bytes.reverse().toString(),
    ];
    for (const text of written) {
      const left = (await subject.text(text)).text;
      expect(left).toContain("[secret:");
      expect(remains(left, text)).toEqual([]);
    }
  });

  it.each([
    ["whole", key],
    ["in JSON", JSON.stringify({ key })],
    ["its end cut off", key.slice(0, 200)],
    [
      "with line numbers",
      key
        .split("\n")
        .map((line, index) => `${index + 1}\t${line}`)
        .join("\n"),
    ],
    [
      "as a difference",
      key
        .split("\n")
        .map((line) => `+${line}`)
        .join("\n"),
    ],
    [
      "indented",
      key
        .split("\n")
        .map((line) => `      ${line}`)
        .join("\n"),
    ],
    ["with CRLF", key.replaceAll("\n", "\r\n")],
  ])("leaves nothing of a private key: %s", async (_, text) => {
    const clean = (await redactor().text(text)).text;
    expect(body.split("\n").flatMap((line) => remains(clean, line))).toEqual([]);
  });

  it("recognizes lines of a key that it has seen whole before", async () => {
    const subject = redactor();
    await subject.text(key);
    expect(remains((await subject.text(`id_rsa:3:${body.split("\n")[1]}`)).text, body)).toEqual([]);
  });

  it("finds values of variables wherever they appear", async () => {
    const subject = redactor("redact", [
      { name: "SERVICE_TOKEN", value: "blue-lake-7781-quiet" },
      { name: "DATABASE_URL", value: `postgres://app:${password}@db/app` },
      { name: "EDITOR", value: "vim-editor-9" },
    ]);
    expect((await subject.text(`x blue-lake-7781-quiet y vim-editor-9 z ${password}`)).text).toBe(
      "x [secret:environment:1] y vim-editor-9 z [secret:address-password:2]",
    );
  });

  it("does not take the shell's folder for a password, whatever characters its path has", async () => {
    const [folder, before] = ["/home/dev/Größe + 🌳/shop", "/home/dev/größer (2)"];
    const subject = redactor("redact", [
      { name: "PWD", value: folder },
      { name: "OLDPWD", value: before },
      { name: "DB_PWD", value: "/größer-81+x" },
    ]);
    expect((await subject.text(`${folder}/a.ts ${before} /größer-81+x`)).text).toBe(`${folder}/a.ts ${before} [secret:environment:1]`);
  });

  it("only reports them, or does not search, if the setting says so", async () => {
    expect(await redactor("warn").text(token)).toEqual({ text: token, kinds: ["github-token"] });
    expect(await redactor("off").text(token)).toEqual({ text: token, kinds: [] });
  });

  it("continues the numbers that the session has used before, and takes no foreign placeholder for its own", async () => {
    expect((await redactor("redact", [], 41).text(`${token} [secret:password:3]`)).text).toBe(
      "[secret:github-token:42] [secret:password:3]",
    );
    expect((await redactor("redact", [], 41).text(`[secret:github-token:42] ${token}`)).text).toBe(
      "[secret:github-token:42] [secret:github-token:43]",
    );
  });

  it("keeps the name before a value", async () => {
    const key = draw("base64", 40, seeded(5));
    for (const before of [
      "AWS_SECRET_ACCESS_KEY=",
      "export AWS_SECRET_ACCESS_KEY=",
      "aws_secret_access_key = ",
      'AWS_SECRET_ACCESS_KEY: "',
    ])
      expect((await redactor().text(`${before}${key}`)).text).toMatch(new RegExp(`^${before}\\[secret:[\\w-]+:1\\]$`));
  });
});

describe("files behind placeholders", () => {
  let folder: Tree;
  let use: (tool: string, input: Record<string, unknown>) => Promise<string>;
  let subject: Redactor;
  let disk: Disk;
  beforeEach(async () => {
    folder = tree({
      "config.ini": `[db]\r\nuser = app\r\npassword = ${password}\r\nport = 1\r\n`,
      "other.txt": "nothing\n",
      "key.txt": key,
    });
    subject = redactor();
    disk = redactingDisk(guardDisk(files({ ignorePatterns, ripgrep: false }), await policyFor(folder.path)), subject, matchingLines);
    const noShell = { run: async () => ({ end: { kind: "aborted" } as const, ms: 0 }) };
    const tools = fileTools({ disk, shell: noShell });
    const signal = new AbortController().signal;
    use = async (name, input) => {
      const tool = tools.find((candidate) => candidate.name === name)!;
      return (await tool.run(tool.input.parse(input), { signal })).text;
    };
  });
  afterEach(() => folder.remove());

  it("shows the placeholder, and an edit beside it keeps the secret and every other byte", async () => {
    expect(await use("Read", { path: "config.ini" })).toBe("1\t[db]\n2\tuser = app\n3\tpassword = [secret:password:1]\n4\tport = 1");
    await use("Edit", { path: "config.ini", old_string: "[secret:password:1]\nport = 1", new_string: "[secret:password:1]\nport = 2" });
    expect(folder.text("config.ini")).toBe(`[db]\r\nuser = app\r\npassword = ${password}\r\nport = 2\r\n`);
  });

  it("treats a placeholder as one character that an edit cannot split", async () => {
    const before = `const a = "${token}"; // ok 1\nconst b = "${otherToken}";\n`;
    folder.put("keys.ts", before);
    expect(await use("Read", { path: "keys.ts" })).toBe(
      '1\tconst a = "[secret:github-token:1]"; // ok 1\n2\tconst b = "[secret:github-token:2]";',
    );
    const edit = (old_string: string, new_string: string, replace_all = false) =>
      use("Edit", { path: "keys.ts", old_string, new_string, replace_all });
    const onlyPieces =
      'Cannot edit "keys.ts": old_string occurs only as a part of placeholders, each of which replaces a secret and cannot be split. Give the whole placeholder, or only text around it.';
    expect([await edit("secret", "", true), await edit('token:1]";', 'x";'), await edit('"[secret', '"')]).toEqual(
      Array.from({ length: 3 }, () => onlyPieces),
    );
    expect(folder.text("keys.ts")).toBe(before);
    await edit("1", "2", true);
    await edit("ok", "good");
    expect(folder.text("keys.ts")).toBe(before.replace("ok 1", "good 2"));
    await edit('"[secret:github-token:1]"', "process.env.A");
    expect(folder.text("keys.ts")).toBe(`const a = process.env.A; // good 2\nconst b = "${otherToken}";\n`);
  });

  it("writes no file with a part of one of its placeholders, unless the part was there before", async () => {
    folder.put("keys.ts", `a = "${token}"\nb = "[secret:pass"\npassword = "${password}"\n`);
    await use("Read", { path: "keys.ts" });
    const write = (content: string) => use("Write", { path: "keys.ts", content });
    const reason = (placeholder: string) =>
      `Cannot write "keys.ts": the text would contain only a part of ${placeholder}, and the secret behind it would be lost. Keep the placeholder whole, or replace all of it.`;
    expect([await write('a = "[:github-token:1]"\n'), await write('a = "[secret:github-x"\n'), await write("p = password:2]\n")]).toEqual(
      ["[secret:github-token:1]", "[secret:github-token:1]", "[secret:password:2]"].map(reason),
    );
    await write('a = "[secret:github-token:1]"\nb = "[secret:pass"\n');
    expect(folder.text("keys.ts")).toBe(`a = "${token}"\nb = "[secret:pass"\n`);
  });

  it("is shown instead of the secret in the question whether to replace the file", async () => {
    const write = writeTool(disk, new Map());
    expect(await write.replaces?.({ path: "config.ini", content: "[db]\r\nuser = app\r\n" })).toEqual({
      counted: "+0 −2",
      lines: ["@@ -1,4 +1,2 @@", " [db]\r", " user = app\r", "-password = [secret:password:1]\r", "-port = 1\r"],
    });
  });

  it("restores it in a file that is written whole", async () => {
    await use("Read", { path: "config.ini" });
    await use("Write", { path: "config.ini", content: "password: '[secret:password:1]'\n" });
    expect(folder.text("config.ini")).toBe(`password: '${password}'\n`);
  });

  it("refuses a placeholder of this session in another file and in a command", async () => {
    await use("Read", { path: "config.ini" });
    await use("Read", { path: "other.txt" });
    expect(await use("Write", { path: "other.txt", content: "p=[secret:password:1]" })).toContain(
      'Cannot write "other.txt": [secret:password:1] replaces a secret',
    );
    expect(await use("Write", { path: "new.txt", content: "[secret:password:1]" })).toContain("can be restored only in the file");
    expect([folder.text("other.txt"), folder.text("config.ini").includes("port = 1")]).toEqual(["nothing\n", true]);
    const screen = outboundFilter(subject, commandReader());
    expect(await screen.call({ tool: "Bash", input: { command: "echo [secret:password:1]" } }, new AbortController().signal)).toMatchObject(
      { ok: false },
    );
  });

  it("leaves a text about placeholders as it is, to be read and changed", async () => {
    folder.put("notes.md", "such as [secret:password:1]\nend\n");
    expect(await use("Read", { path: "notes.md" })).toBe("1\tsuch as [secret:password:1]\n2\tend");
    await use("Edit", {
      path: "notes.md",
      old_string: "[secret:password:1]",
      new_string: "[secret:password:1] or [secret:github-token:7]",
    });
    await use("Write", { path: "guide.md", content: "[secret:address-password:3]\n" });
    await use("Read", { path: "config.ini" });
    expect(folder.text("notes.md")).toBe("such as [secret:password:1] or [secret:github-token:7]\nend\n");
    expect(folder.text("guide.md")).toBe("[secret:address-password:3]\n");
    expect(await use("Read", { path: "config.ini" })).toContain("[secret:password:2]");
  });

  it("gives text that looks like one of this session's own another one, so that it is restored unchanged", async () => {
    await use("Read", { path: "config.ini" });
    folder.put("notes.md", "such as [secret:password:1]\nend\n");
    expect(await use("Read", { path: "notes.md" })).toBe("1\tsuch as [secret:literal:2]\n2\tend");
    await use("Edit", { path: "notes.md", old_string: "end", new_string: "END" });
    expect(folder.text("notes.md")).toBe("such as [secret:password:1]\nEND\n");
  });

  it("shows no line of a key to a search, whichever line it finds", async () => {
    const found = await use("Grep", { pattern: ".", path: "key.txt" });
    expect([remains(found, body), found.split("\n").length]).toEqual([[], 6]);
  });

  it("keeps bytes that are not text", async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0x41, 10]), Buffer.from(`password = "${password}"\n`), Buffer.from([0xe9, 10])]);
    folder.put("latin.txt", bytes);
    await use("Read", { path: "latin.txt" });
    await use("Edit", { path: "latin.txt", old_string: "password =", new_string: "pass_word =" });
    expect(Buffer.from(folder.text("latin.txt")).includes(password)).toBe(true);
  });
});

describe("the screen", () => {
  const screen = () => outboundFilter(redactor(), commandReader());
  const signal = new AbortController().signal;

  it("removes secrets from messages to others", async () => {
    const input = { to: "bob", text: `use ${token}` };
    expect(await screen().call({ tool: "SendMessage", input }, signal)).toEqual({
      ok: true,
      input: { to: "bob", text: "use [secret:github-token:1]" },
    });
  });

  it.each(["Agent", "StartWorker", "Skill", "RecordFailure", "TodoWrite", "AskUser", "SubmitPlan", "TaskCreate", "mcp__forge__search"])(
    "removes them from what %s stores or passes on",
    async (tool) => {
      const input = { text: ["use", { it: token }] };
      const stored = { text: ["use", { it: "[secret:github-token:1]" }] };
      expect(await screen().call({ tool, input }, signal)).toEqual({ ok: true, input: stored });
    },
  );

  it.each(["Bash", "Grep", "Write"])("leaves what %s acts on", async (tool) => {
    expect(await screen().call({ tool, input: { text: token } }, signal)).toEqual({ ok: true, input: { text: token } });
  });

  it("leaves what the user typed, and reports it once for each kind", async () => {
    const subject = screen();
    const typed = { source: { kind: "user" as const }, text: `my token is ${token}` };
    const first = await subject.inputs([typed]);
    expect([first.inputs, first.notices.length]).toEqual([[typed], 1]);
    expect((await subject.inputs([typed])).notices).toEqual([]);
  });

  it("removes them from mail, results and their details", async () => {
    const mail = { source: { kind: "mail" as const, message: "m", from: "ann", mail: "message" }, text: `t ${token}`, shown: token };
    expect((await screen().inputs([mail])).inputs).toEqual([
      { ...mail, text: "t [secret:github-token:1]", shown: "[secret:github-token:1]" },
    ]);
    expect(await screen().result({ text: token, summary: token, detail: token, isError: false })).toEqual({
      result: {
        text: "[secret:github-token:1]",
        summary: "[secret:github-token:1]",
        detail: "[secret:github-token:1]",
        isError: false,
      },
      notices: [],
    });
  });
});
