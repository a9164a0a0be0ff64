// Commands that a table speaks of, without a sandbox and under acceptEdits, each with commands that try to abuse it.
import { expect, it } from "vitest";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { makePolicy, type Policy } from "../../src/permissions/policy.ts";
import { parseRule } from "../../src/permissions/rules.ts";

const real = async (path: string) => path;

async function decided(command: string, found: Partial<Policy> = {}): Promise<string> {
  const order = { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", temporary: "/home/me/.tool/state/tmp" };
  const made = await makePolicy({ ...order, mode: "acceptEdits", sandbox: { kind: "missing", why: "bwrap is not installed" } }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = Object.assign(made.policy, found);
  return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy).decision;
}

type Class = { name: string; unasked: string[]; attacks: string[] };

const classes: Class[] = [
  {
    name: "lines of a file by number or pattern, and one replacement",
    unasked: ["sed -n '10,20p' a.ts", "sed -n '/^func/,/^}/p' a.go", "sed 's/a/b/g' a | head", "sed -i 's#a/b#c#' a.ts"],
    attacks: [
      "sed 's/a/b/e' a",
      "sed 's/a/b/w out' a",
      "sed -n 'w out' a",
      "sed '1r /etc/passwd' a",
      "sed -f x a",
      "sed -i s/a/b/ .envrc",
      "sed -i s/a/b/ ../a",
      "sed -n '1p;1e id' a",
      "sed -i'../*' s/a/b/ a",
      "sed -n 1p /etc/passwd",
    ],
  },
  {
    name: "columns of lines",
    unasked: ["awk '{print $1}' a", "awk -F: '{print $2, $NF}' a", "awk 'NR==3' a", "ps | awk '{ print $1 }'".replace("ps", "cat a")],
    attacks: [
      "awk '{print > \"x\"}' a",
      "awk '{print | \"sh\"}' a",
      "awk 'BEGIN{system(\"id\")}'",
      "awk -f x a",
      "awk '{print $1}' /etc/passwd",
      "awk '{print $1; getline < \"/etc/passwd\"; print}' a",
      "awk '{print ENVIRON[\"KEY\"]}' a",
    ],
  },
  {
    name: "files that only what names them changes",
    unasked: [
      "mkdir -p src/new && touch src/new/a.ts",
      "cp a.ts b.ts; mv b.ts c.ts",
      "echo a | tee -a notes.txt",
      "chmod +x run.sh; rmdir empty",
      "find src -name '*.ts' -exec cat {} \\;",
      "mv src lib; mv templates .github/ISSUE_TEMPLATE; cp CODEOWNERS .github/",
      "mkdir .cargo .github; cp src/*.ts lib/",
    ],
    attacks: [
      "cp a .git/hooks/pre-commit",
      "cp x/.envrc .",
      "mv a .envrc",
      "mv x/.husky .",
      "mv c .cargo",
      "mv src/cfg src/.cargo",
      "mv cc .config",
      "mv gh .github",
      "mv src .hg",
      "mv h .git/modules/sub",
      "cp c/* .cargo/",
      "for f in c/*; do cp $f .cargo; done",
      "tee .npmr* <<< x",
      "cp .env a",
      "chmod u+s a",
      "cp -s a b",
      "cp --backup a b",
      "ln -s /etc a",
      "mkdir $X",
      "touch ../a",
      "cp -t /etc a",
      "cp a HEAD",
      "echo a > TOOL.md",
      "rm a.ts",
      "tee /etc/x < a",
      'TMPDIR=/etc; cp a.ts "$TMPDIR/a.ts"',
      'cp a.ts "$(mktemp -p /etc)"',
      'd=$(mktemp -d -q); cp a.ts "$d/etc/b.ts"',
      'd=$(mktemp -d -q); echo x > "$d/etc/b.ts"',
      'd=$(mktemp -d -q); cd "$d"; cp a.ts b.ts',
      "find src -name a -execdir cp {} ../.git/hooks/pre-commit \\;",
      "find src -name a -execdir cp {} ../../outside \\;",
      "find . -maxdepth 0 -exec cp a {}/../outside \\;",
      "find x -name .envrc -exec cp {} . \\;",
      "find . -name pre-commit -exec sed -i s/a/b/ {} \\;",
      "find . -exec tee {} \\;",
      "find src -name '*.ts' -exec touch {} \\;",
      "cp a.ts l*/../b.ts",
      "sed -i s/a/b/ l*/../a.ts",
      'for d in l*; do touch "$d/../new"; done',
      "echo x | tee l[n]k/../a.ts",
      "cp a.ts .*/b.ts",
      "cp c/.??* .",
      "cp c/* .",
      'for f in c/*; do cp "$f" .; done',
      "for f in c/.??*; do cp $f .; done",
      "sed -i s/a/b/ .??*",
      "cp a.ts .*./b.ts",
      "cp a.ts .*?/b.ts",
      "cp a.ts .*[.]/b.ts",
      "cp a.ts .**./b.ts",
      "cp a.ts 'a\nb'*/x/../b.ts",
      "cp a.ts [.][.]/b.ts",
    ],
  },
  {
    name: "names that a pattern matches in the tree",
    unasked: [
      "echo *.ts src/*.ts",
      `for f in src/*.ts; do echo "\${f##*/}"; done`,
      "for i in 1 2 3; do echo $i; done",
      "x='src/*'; echo $x; echo src/$y",
      "printf '%s\\n' src/* | head",
    ],
    attacks: [
      "echo ../*",
      "echo l*/../*",
      "echo .*/*",
      "x='../outside/*'; echo $x",
      "x=../outside/*; printf '%s\\n' $x",
      "x=$(cat a); echo ../outside/$x",
      `for f in ../outside/*; do echo "\${f##*/}"; done`,
      "for f in '../outside/*'; do echo $f; done",
      "for f in ../outside/*; do true; done",
      "for f in ../outside/$x; do true; done",
      "for f in ~/*; do true; done",
    ],
  },
  {
    name: "variables that programs which only look are given",
    unasked: ["LC_ALL=C sort a", "TZ=UTC date", "COLUMNS=80 ls", "GIT_PAGER=cat git diff", 'while IFS= read -r x; do echo "$x"; done < a'],
    attacks: [
      "MAGIC=1 file a",
      "FROB=1 file a",
      "env FROB=1 file a",
      "FROB=1 timeout 5 file a",
      "FROB=1 find . -exec file {} +",
      "export FROB=1; file a",
      "declare -x FROB=1; file a",
      "TZ=../a date",
      "LANG=x://y/z ls",
    ],
  },
  {
    name: "what git stages",
    unasked: ["git add -A", "git add src/a.ts tests", "git -C web add .", "git add -nv 'src/*.ts' && git status"],
    attacks: [
      "git add .env",
      "git add -p",
      "git add -i",
      "git add -e a.ts",
      "git add --chmod=+x a.ts",
      "git add --pathspec-from-file=list",
      "git add /etc/passwd",
      "git add $X",
      "git -C ../a add .",
      "git -c core.fsmonitor=./x add .",
      "git stage a",
      "git add a && git commit -m x",
    ],
  },
  {
    name: "searches that take in no more than the tree",
    unasked: [
      "rg -tzig main src",
      "fd -etsx . src",
      "grep -rn x . --include=*.ts",
      "find . -name '*.ts' -exec wc -l {} +",
      "rg --files | head",
    ],
    attacks: [
      "rg -z x src",
      "rg --pre ./x y src",
      "rg --pre=./x y",
      "rg -L x",
      "fd -x rm",
      "fd -Hx rm",
      "find . -delete",
      "find . -exec rm {} +",
      "find . -fprint out",
      "find . -exec cat {} + -delete",
      "find / -name x",
      "find .. -exec cat {} +",
      "grep -r x /etc",
      "grep -f /etc/passwd a",
      "grep -R x .",
    ],
  },
  {
    name: "what git has",
    unasked: [
      "git status",
      "git log -5 -- src",
      "git show HEAD:a.ts",
      "git diff main...HEAD",
      "git branch -a",
      "git stash list",
      "git --version",
    ],
    attacks: [
      "git -c core.pager=./x log",
      "git log --output=x",
      "git diff --ext-diff",
      "git diff --no-index a /etc/passwd",
      "git grep -O./x foo",
      "git branch new",
      "git blame --contents=/etc/passwd a",
      "git show HEAD:.env",
      "git -C ../other log",
      "git stash",
      "git config a.b c",
      "git checkout main",
      "git fetch",
    ],
  },
  {
    name: "what this system says about itself",
    unasked: ["cat /etc/os-release", "grep -c processor /proc/cpuinfo", "head -3 /proc/meminfo", "uname -a; nproc; id; date +%s"],
    attacks: [
      "cat /etc/passwd",
      "cat /proc/self/environ",
      "cat /proc/cpuinfo /etc/shadow",
      "cat /etc/*",
      "date 01010000",
      "env",
      "printenv",
      "set",
    ],
  },
  {
    name: "no code in a command, whatever it says",
    unasked: ["node --version", "python3 --version", "jq .scripts package.json"],
    attacks: [
      "node -p 1",
      "node -e \"console.log(require('./a.json'))\"",
      "python3 -c 'print(1)'",
      "python3 - <<'E'\nprint(1)\nE",
      "perl -pi -e 's/a/b/' a",
      "ruby -e 1",
      "jq -n env",
      "jq 'import \"a\" as b; .' c",
      "bash x.sh",
      "source .venv/bin/activate",
      "make -n",
      "go env",
      "cargo tree",
      "sqlite3 dev.db .tables",
    ],
  },
];

it.each(classes)("$name: unasked, and none of the attacks on it is", async ({ unasked, attacks }) => {
  const asked = await Promise.all(unasked.map(async (command) => [command, await decided(command)]));
  expect(asked.filter(([, found]) => found !== "allow")).toEqual([]);
  const got = await Promise.all(attacks.map(async (command) => [command, await decided(command)]));
  expect(got.filter(([, found]) => found === "allow")).toEqual([]);
});

it("deny rules count for what the system says, too", async () => {
  const rule = parseRule("Read(//proc/**)");
  if (!rule.ok) throw new Error(rule.reason);
  expect(await decided("cat /proc/cpuinfo", { deny: [{ ...rule.rule, scope: "user" }] })).toBe("deny");
});

it("staging changes something: only acceptEdits lets it pass unasked, and no repository that makes git start a program", async () => {
  expect(await decided("git add -A", { mode: "default" })).toBe("ask");
  expect(await decided("git add -A", { mode: "plan" })).toBe("deny");
  expect(await decided("git add -A", { gitRuns: new Map([["/repo", "filter.x.clean in the settings of /repo"]]) })).toBe("ask");
});
