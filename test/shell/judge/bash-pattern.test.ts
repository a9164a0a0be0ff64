import { describe, expect, it } from "vitest";
import { type BashPattern, covers, fitsMask, parseBashPattern } from "../../../src/shell/judge/bash-pattern.ts";
import { forbids } from "../../../src/shell/judge/forbids.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

function pattern(inner: string): BashPattern {
  const parsed = parseBashPattern(inner);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.pattern;
}

const first = (text: string) => analyseCommand(text).commands[0]!;

describe("parseBashPattern()", () => {
  it.each([
    ["*", { kind: "any" }],
    ["npm test", { kind: "exact", text: "npm test", words: ["npm", "test"] }],
    ["npm test:*", { kind: "words", text: "npm test:*", words: ["npm", "test"] }],
    ["npm test *", { kind: "words", text: "npm test *", words: ["npm", "test"] }],
    ["npm run test-*", { kind: "mask", text: "npm run test-*", mask: "npm run test-*", words: ["npm", "run"] }],
    ["curl * localhost:*", { kind: "mask", text: "curl * localhost:*", mask: "curl * localhost *", words: ["curl"] }],
    ["git commit -m 'a b':*", { kind: "words", text: "git commit -m 'a b':*", words: ["git", "commit", "-m", "a b"] }],
  ])("%s", (inner, expected) => {
    expect(parseBashPattern(inner)).toEqual({ ok: true, pattern: expected });
  });

  it.each([
    ["  ", "the parentheses are empty"],
    [":*", 'there is no program before the "*"'],
  ])("refuses %j", (inner, reason) => {
    expect(parseBashPattern(inner)).toEqual({ ok: false, reason });
  });
});

describe("covers()", () => {
  it.each([
    ["npm test:*", "npm test", true],
    ["npm test:*", "npm test -- a", true],
    ["npm test:*", "npm testing", false],
    ["npm test:*", "npm run test", false],
    ["npm test", "npm test", true],
    ["npm test", "npm  test", true],
    ["npm test", "npm test a", false],
    ["npm run test-*", "npm run test-unit", true],
    ["npm run test-*", "npm run build", false],
    ["ls:*", "/bin/ls", false],
    ["git log:*", "git -C src --no-pager log -1", true],
    ["git log:*", "git -c a.b=c log", false],
    ["echo *", "echo $x", true],
    ["echo a *", "echo $x b", false],
  ])("Bash(%s) and %s: %s", (rule, command, spelled) => {
    expect(covers(pattern(rule), first(command))).toBe(spelled);
  });
});

describe("forbids()", () => {
  it.each([
    ["rm:*", "rm x", "yes"],
    ["rm:*", "/bin/rm x", "yes"],
    ["rm:*", "r'm' x", "yes"],
    ["rm:*", "rmdir x", "no"],
    ["rm:*", "echo rm", "no"],
    ["git push:*", "git -C x push --force", "yes"],
    ["git push:*", "git stash push", "no"],
    ["git push:*", "git $x", "maybe"],
    ["git push:*", "git -c help.autocorrect=immediate puhs", "maybe"],
    ["git push:*", "git for-each-repo --config=x.y push", "maybe"],
    ["git push:*", "git z", "maybe"],
    ["git push:*", "git log", "no"],
    ["rm:*", "git z", "no"],
    ["npm publish:*", "npm pub", "maybe"],
    ["npm publish:*", "npm -w x publ --access public", "maybe"],
    ["npm publish --tag:*", "npm p --tag x", "maybe"],
    ["npm publish --tag:*", "npm p", "no"],
    ["npm publish", "npm pu x", "no"],
    ["npm publish*", "npm -s pub", "maybe"],
    ["npm publish*", "npm --otp 1 --tag x publish", "yes"],
    ["git push*", "git -C src -c push.default=current push", "yes"],
    ["git push*", "git log push", "no"],
    ["npm publish*", "npm install pub", "no"],
    ["npm run deploy:*", "npm run dep", "no"],
    ["rm -rf /*", "rm -r x", "no"],
    ["cat /etc/*", "cat /", "no"],
    ["cat a.txt", "cat a", "no"],
    ["tmux kill-server", "tmux kill-ser", "maybe"],
    ["git push:*", "git-push origin", "yes"],
    ["git push:*", "git send-pack origin", "yes"],
    ["rm -rf:*", "rm -f -r x", "yes"],
    ["rm -rf:*", "rm --recursive --force x", "yes"],
    ["rm -rf:*", "rm -r x", "no"],
    ["rm:*", "no-such-wrapper rm x", "maybe"],
    ["rm:*", "no-such-wrapper -c 'ls; rm x'", "maybe"],
    ["rm:*", "git rebase -x'rm zz' HEAD~1", "maybe"],
    ["rm:*", "git grep -O'rm x' a", "maybe"],
    ["curl:*", "git clone -u'curl x' a b", "maybe"],
    ["curl:*", "tar -I'curl x' -xf a", "maybe"],
    ["curl:*", "scp -Scurl a b:c", "maybe"],
    ["curl:*", "zip -TT'curl x' a b", "maybe"],
    ["rm:*", "tar -Inorm -xf a", "maybe"],
    ["rm:*", "npm test --no-rm -n alarm", "no"],
    ["npm run deploy-*", "npm run deploy-all", "yes"],
    ["*", "ls", "yes"],
  ])("Bash(%s) and %s: %s", (rule, command, expected) => {
    expect(forbids(pattern(rule), first(command))).toBe(expected);
  });

  it("answers quickly for masks and options that repeat", () => {
    const slow = [
      forbids(pattern(`${"*a".repeat(40)}*b`), first("a".repeat(5000))),
      forbids(pattern("git push origin x:*"), first(`git ${"-a ".repeat(3000)}log`)),
    ];
    expect(slow).toEqual(["no", "no"]);
  });
});

describe("fitsMask()", () => {
  it.each([
    ["a*c", "abc", true],
    ["a*c", "ac", true],
    ["a*c", "ab", false],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["ab*ba", "aba", false],
    ["*", "", true],
    ["a  *", "a b", true],
    ["abc", "abc", true],
  ])("%s and %s: %s", (mask, text, expected) => {
    expect(fitsMask(mask, text)).toBe(expected);
  });
});
