// Redirections: the files that they open, and the input of the command.
import { describe, expect, it } from "vitest";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const filesOf = (text: string) =>
  analyseCommand(text).commands[0]!.files.map(({ access, path, mention }) => `${access} ${path ?? "?"}${mention ? ` (${mention})` : ""}`);

describe("redirections()", () => {
  it.each<[string, string[]]>([
    ["a < x > y 2>> z", ["read x", "write y", "write z"]],
    ["a &> x", ["write x"]],
    ["a >| x", ["write x"]],
    ["a <> x", ["write x", "read x"]],
    ["a 2>&1 >/dev/null </dev/null", []],
    ["a > $X", ["write ?"]],
    ["a >& x", ["write x"]],
    ["x=b; a > $x", []],
    ["a > *.ts", ["write *.ts (named)", "write ?"]],
    ["a <<< ./secret", ["read ./secret (possible)"]],
  ])("%s: %j", (text, files) => {
    const own = filesOf(text);
    if (text === "a > *.ts") expect(own).toEqual(expect.arrayContaining(files));
    else expect(own).toEqual(files);
  });

  it.each(["a > /dev/tcp/host/80", "a <<E\nb"])("%s cannot be relied on", (text) => {
    expect(analyseCommand(text).unclear).toBeDefined();
  });

  it.each<[string, string | undefined]>([
    ["sh <<'E'\nls\nE", "ls\n"],
    ["sh <<-E\n\tls\n\tE", "ls\n"],
    ["sh <<< ls", "ls\n"],
    ["sh <<E\n$X\nE", undefined],
    ["sh < a", undefined],
    ["sh 3<<'E'\nls\nE", undefined],
  ])("the input of %j is %j", (text, input) => {
    expect(analyseCommand(text).commands[0]!.stdinText).toBe(input);
  });
});
