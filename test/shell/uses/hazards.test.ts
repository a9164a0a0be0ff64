import { describe, expect, it } from "vitest";
import { isListed, isListedOption } from "../../../src/shell/uses/hazards.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

/** The name of each hazard, and its details. */
function hazardsOf(text: string): string[] {
  const hazards = analyseCommand(text).commands.at(-1)?.hazards ?? [];
  return hazards.map(({ at, unseen, exactOnly, code }) =>
    [at, unseen && "unseen", exactOnly && "exact", code && "code"].filter((part) => part !== undefined).join(" "),
  );
}

describe("hazardsOf()", () => {
  it.each([
    ["sed -f s f", ["1"]],
    ["sed 'w out' f", ["1 unseen"]],
    ["sed s/a/b/e f", ["1 unseen"]],
    ["awk 'BEGIN{system(\"x\")}'", ["1 unseen"]],
    ["awk -f p", ["1"]],
    ["find . -delete", ["2"]],
    ["find . -fprint o", ["2"]],
    ["rg --pre cat x", ["1 unseen"]],
    ["sort -o o i", ["1 unseen"]],
    ["sort --compress-program=x i", ["1 unseen"]],
    ["uniq a b", ["2"]],
    ["uniq *", ["1"]],
    ["uniq a *", ["2"]],
    ["sed s/a/b/ f -i../y/*", ["1 unseen"]],
    ["git blame -S f a", ["2"]],
    ["rsync --only-write-batch=x a b", ["0", "1"]],
    ["tar xf a", ["1"]],
    ["tar --checkpoint-action=exec=x cf a b", ["1 unseen"]],
    ["tar c --to-command=x", ["2 unseen"]],
    ["git -c a.b=c log", ["1 unseen"]],
    ["git log --output=x", ["2 unseen"]],
    ["git push -f", ["2"]],
    ["git push origin :x", ["3"]],
    ["git rebase -i", ["2 unseen"]],
    ["git archive -o x HEAD", ["2 unseen"]],
    ["git foo", ["1 exact"]],
    ["git clone --recursive u", ["2 unseen"]],
    ["git apply x", ["3"]],
    ["ssh -o ProxyCommand=x host", ["1"]],
    ["curl https://a.example", ["0"]],
    ["curl -o /dev/null https://a.example", ["0"]],
    ["curl -o f https://a.example", ["0", "1"]],
    ["npm publish", ["1"]],
    ["npm pub", ["1"]],
    ["npm innit evil", ["1"]],
    ["npm link", ["1"]],
    ["npm --otp 1 publish", ["2"]],
    ["pnpm setup", ["1"]],
    ["yarn npm login", ["1", "2"]],
    ["bun publish", ["1"]],
    ["mawk -W exec p", ["1"]],
    ["awk -We p", ["1"]],
    ["tree -R -L 1", ["1"]],
    ["curl -n https://a.example", ["0", "1"]],
    ["curl FILE:///etc/passwd", ["1", "0"]],
    ["npm install git+ssh://x", ["2"]],
    ["npm config set a b", ["1"]],
    ["npm run x --script-shell=y", ["3"]],
    ["node -e 1", ["1 code"]],
    ["node", ["0 code"]],
    ["python3 -c 1", ["1 code"]],
    ["python3 -", ["1 code"]],
    ["python3 < a", ["0 code"]],
    ["python3 -m http.server", ["1"]],
    ["python3 -m pip install x", ["1"]],
    ["make SHELL=x", ["1", "1"]],
    ["make -f -", ["1"]],
    ["make 'A=$(x)'", ["1"]],
    ["go build -ldflags '-linkmode external' .", ["2"]],
    ["go tool pprof", ["1"]],
    ["go run a.b/c@v1", ["2"]],
    ["jq 'import \"a\" as b; 1' f", ["1"]],
    ["jq -f p f", ["1"]],
    ["yq 'load_str(\"/etc/passwd\")' f", ["1"]],
    ["yq '.a = system(\"./x\")' f", ["1"]],
    ["sqlite3 a.db 'select 1'", []],
    ["sqlite3 a.db 'drop table x'", ["0"]],
    ["sqlite3 a.db '.shell x'", ["0", "2"]],
    ["sqlite3 a.db \"select readfile('x')\"", ["2"]],
    ["sqlite3 a.db", ["2"]],
    ["kill 1", ["0"]],
    ["unzip a", ["2"]],
    ["tool 'do it'", ["2"]],
    ["docker run x", ["1"]],
    ["kubectl delete x", ["1"]],
    ["gh pr merge", ["2"]],
    ["date -s x", ["1"]],
    ["dd of=a", ["1"]],
    ["vim f", ["0"]],
    ["patch < x", ["1"]],
    ["git $x", ["1 unseen", "1"]],
  ])("of %j are at %j", (text, hazards) => {
    expect(hazardsOf(text)).toEqual(hazards);
  });

  it("include a makefile that a substitution gives", () => {
    const make = analyseCommand("make -f <(echo all:)").commands.find(({ words }) => words[0]?.value === "make");
    expect(make?.hazards).toEqual([{ at: 2, option: true, does: "its arguments contain settings or code" }]);
  });

  it.each([
    "sed -n p f",
    "awk '{print}' f",
    "find . -name x",
    "fd x -x rm",
    "rg x",
    "sort i",
    "uniq a",
    "tar cf a b",
    "git log",
    "git push",
    "git apply --check x",
    "ssh host",
    "npm test",
    "npm install x",
    "npm t",
    "npm --prefix web run build",
    "node a.js",
    "node --test",
    "python3 a.py",
    "python3 -m pytest",
    "python3 -m pip list",
    "make",
    "go test ./...",
    "go build -ldflags '-s -w' .",
    "xargs -a f rm",
    "env -S 'a b'",
    "jq . f",
    "yq '.load.system' f",
    "sleep 1 & kill $!",
    "kill %1",
    "unzip -l a",
    "tool doctor",
    "tmux new x",
    "docker ps",
    "kubectl get pods",
    "gh pr view",
    "date",
    "dd if=a",
    "bat f",
    "less f",
    "ps",
    "python3 --version",
    "$x --help",
  ])("has none of %j", (text) => {
    expect(hazardsOf(text)).toEqual([]);
  });

  it("says what each does in words that go behind the program", () => {
    const [hazard] = analyseCommand("git push -f").commands[0]!.hazards;
    expect(hazard?.does).toMatch(/^git push \w+/);
  });
});

it.each([
  ["-f", "-f --file", true],
  ["-xf", "-f --file", true],
  ["--file=a", "-f --file", true],
  ["--fi", "-f --file", true],
  ["--", "-f --file", false],
  ["-x", "-f --file", false],
  ["-Wl,-plugin=a", "!clusters -Wl,-plugin*", true],
  ["-xf", "!clusters -f", false],
  ["--exec", "!clusters -exec", true],
  ["--test", "!--test --te", false],
  ["-a", "", false],
])("isListedOption(%j, %j) is %j", (text, listed, expected) => {
  expect(isListedOption(text, listed.split(" ").filter(Boolean))).toBe(expected);
});

it("isListed() knows programs by each of their names, and subcommands that have rows of their own", () => {
  expect(["sort", "gsort", "npm", "npm install", "grep", "left-pad"].map(isListed)).toEqual([true, true, true, true, true, false]);
});
