// Classes of commands that need no question under acceptEdits, even without a sandbox, each with commands that try to abuse it.
import { expect, it } from "vitest";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { withKept } from "../../src/permissions/kept-files.ts";
import { makePolicy, type Policy } from "../../src/permissions/policy.ts";
import { parseRule } from "../../src/permissions/rules.ts";

const real = async (path: string) => path;

type World = Pick<Class, "grants" | "found" | "kept">;

async function decided(command: string, { grants = [], found = {}, kept = [] }: World = {}): Promise<string> {
  const order = { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", temporary: "/home/me/.tool/state/tmp" };
  const made = await makePolicy({ ...order, mode: "acceptEdits", sandbox: { kind: "missing", why: "bwrap is not installed" } }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = Object.assign(made.policy, found);
  for (const text of grants) {
    const parsed = parseRule(text);
    if (!parsed.ok) throw new Error(parsed.reason);
    policy.grants.grant(parsed.rule, { kind: "session" });
  }
  const call = await locate({ tool: "Bash", input: { command } }, policy, real);
  return decide(await withKept(call, policy, async (path) => kept.includes(path)), policy).decision;
}

type Class = { name: string; grants?: string[]; kept?: string[]; found?: Partial<Policy>; unasked: string[]; attacks: string[] };

const classes: Class[] = [
  {
    name: "lines read from a search in `< <( … )`",
    unasked: [
      'while read -r d; do echo "$d: $(ls "$d" | wc -l)"; done < <(find internal -type d)',
      "while IFS= read -r f; do grep -L 'package ' \"$f\"; done < <(git ls-files '*.go')",
    ],
    attacks: [
      'while read -r f; do cat "$f"; done < <(cat names.txt)',
      'while read -r f; do cat "$f"; done < <(find . -name x; echo /etc/passwd)',
      'while read -r f; do cat "$f"; done < <(find . -name x) < names.txt',
      'while read -r f; do cat "$f"; done < <(find ~/.ssh)',
      'while read -r f; do rm "$f"; done < <(find / -name x)',
      'while read -r f; do bash "$f"; done < <(find .)',
      'while read -r f; do cat "$f"; done < <(find src -ls)',
      'while read -r f; do echo x > "$f"; done < <(find .)',
      "while read -r f; do cat $f; done < <(find src -printf '%l\\n')",
    ],
  },
  {
    name: "a place below a folder, behind a name that ls or find prints",
    unasked: [
      'for d in $(ls internal); do echo "$d: $(ls internal/$d/*.go | wc -l)"; done',
      "ls -t build | head -1 | xargs -I{} ls -l build/{}",
      'find src -name "*.ts" | while read f; do wc -l "./$f"; done',
    ],
    attacks: [
      "for d in $(ls -a internal); do cat internal/$d/key; done",
      "for d in $(ls internal); do cat internal/$d/../../../../etc/passwd; done",
      "for d in $(ls internal); do cat /etc/$d; done",
      "for d in $(ls internal); do cat ~/$d; done",
      "for d in $(find .. -name x); do cat src/$d; done",
      "for d in $(cat names); do cat src/$d; done",
      "for d in $(ls internal); do rm -rf src/$d; done",
      "for d in $(ls internal); do bash internal/$d; done",
      "for d in $(ls .git); do echo x > .git/$d; done",
      "ls build | xargs -I{} cat {}/../../../etc/passwd",
      "ls build | xargs -I{} cat ../{}",
      'for d in $(ls internal); do sed -i "s/$d/x/" a; done',
      "cd src; for d in $(ls); do cd ..; cat a/$d; done",
    ],
  },
  {
    name: "files that git gives back, if it has stored what they contain",
    kept: ["/repo/src/a.ts", "/repo/src"],
    unasked: ["git restore src/a.ts", "git checkout -- src/a.ts", "git restore -q src && git status --short", "git restore -- src/a.ts"],
    attacks: [
      "git restore src/b.ts",
      "git restore src/a.ts src/b.ts",
      "git restore .",
      "git restore --source=HEAD~1 src/a.ts",
      "git restore --staged --worktree src/a.ts",
      "git restore -p src/a.ts",
      "git restore --pathspec-from-file=src/a.ts",
      "git restore ':(top)src/a.ts'",
      "git restore ../other/a.ts",
      "git checkout HEAD~1 -- src/a.ts",
      "git checkout src/a.ts",
      "git checkout -f -- src/a.ts",
      "git -C ../other restore src/a.ts",
      "git restore .husky",
      "git restore /home/me/.bashrc",
    ],
  },
  {
    name: "a link that stays in the tree, and is only shown",
    unasked: [
      "ln -s ../shared src/shared && ls -l src",
      "mkdir -p build && ln -s ../testdata build/data",
      "ln -sv a.ts b.ts; readlink b.ts",
    ],
    attacks: [
      "ln -s ../../other src/other",
      "ln -s /etc/passwd p",
      "ln -s .git/hooks h",
      "ln -s ../.husky src/h",
      "ln -s ~/.ssh s",
      "ln -s .env e",
      "ln -sf a.ts b.ts",
      "ln a.ts b.ts",
      "ln -s $X b",
      "ln -s * d",
      "ln -s . d && cat d/x/../../etc/passwd",
      "ln -s secrets s && cat s/key",
      "ln -s src s; echo x > s/a.ts",
      "ln -s private p && ls p/keys",
      "ln -s ../private src/ && ls src/private/keys",
      "cd src && ln -s .. up && ls up/..",
      "ln -s -t /etc a b",
    ],
  },
  {
    name: "archives that a glob finds",
    unasked: ["tar tzf dist/*.tar.gz | head", "unzip -l dist/*.whl"],
    attacks: [
      "tar tzf *.gz",
      "tar tzf -*.gz",
      "tar tzf ../*/a.gz",
      "tar tzf /tmp/*.gz",
      "tar tzf host:dist/*.gz",
      "tar xzf dist/*.gz",
      "unzip dist/*.whl",
      "unzip -l ~/*.zip",
      "zgrep x logs/*.gz",
    ],
  },
  {
    name: "option values that look like groups of options",
    unasked: ["awk -F'impl' '{print $2}' src/a.rs", "rg -tzig main src", "fd -etsx . src", "awk -vi=1 '{print i}' a"],
    attacks: [
      "awk -f x.awk a",
      "awk -ix '{print}' a",
      "awk -lx '{print}' a",
      "rg -z x src",
      "rg -nz x src",
      "rg --pre ./x y src",
      "fd -x rm",
      "fd -Hx rm",
      "awk -F x '{print | \"sh\"}' a",
    ],
  },
  {
    name: "settings of the build behind env",
    grants: ["Bash(cargo test *)", "Bash(pytest *)"],
    unasked: ['env RUSTFLAGS="-C debuginfo=0" cargo test -q', "env PYTHONPATH=src pytest -q"],
    attacks: [
      'env RUSTFLAGS="-C linker=./x" cargo test',
      "env PATH=. cargo test",
      "env LD_PRELOAD=./x.so cargo test",
      "env PYTHONPATH=/tmp/x pytest",
      "env -i GIT_DIR=x pytest",
      "env RUSTC_WRAPPER=./x cargo test",
      "env RUSTFLAGS=-Cdebuginfo=0 curl localhost",
    ],
  },
  {
    name: "the version of a program of the tree, once its code may run",
    grants: ["Bash(make test *)"],
    found: { programs: () => "within" },
    unasked: ["./target/debug/cli --version", "bin/server --help", "./a.out --version"],
    attacks: [
      "cli --version",
      "./target/debug/cli",
      "./target/debug/cli -v",
      "../other/cli --version",
      "./scripts/deploy.sh --version",
      "tools/publish.py --help",
      "./x/../../cli --version",
      "/tmp/cli --version",
    ],
  },
  {
    name: "no version of a program of the tree before",
    found: { programs: () => "within" },
    unasked: ["echo a"],
    attacks: ["./target/debug/cli --version", "bin/server --help", "./a.out -V", "node_modules/.bin/x --version", "./x.sh --version"],
  },
  {
    name: "names that ls prints and nothing else",
    unasked: ["ls -1t src | head -3 | xargs cat", "for f in $(ls --color=never src); do wc -l $f; done"],
    attacks: [
      "ls -l src | xargs cat",
      "for d in $(ls -l src); do cat $d; done",
      "ls -lt | head -1 | xargs cat",
      "ls --format=long src | xargs cat",
      "ls -Fa src | xargs cat",
      "find src -ls | xargs cat",
      "fd -l x src | xargs cat",
    ],
  },
  {
    name: "reading a database with sqlite3",
    unasked: [
      "sqlite3 dev.db '.tables'",
      "sqlite3 -header -column dev.db 'select id, state from orders limit 5'",
      "sqlite3 -readonly data/dev.db \"SELECT count(*) FROM users WHERE name = 'a'\"",
      "sqlite3 dev.db 'pragma table_info(users);'",
    ],
    attacks: [
      "sqlite3 dev.db '.shell id'",
      "sqlite3 dev.db",
      "echo .shell | sqlite3 dev.db",
      "sqlite3 dev.db 'select readfile(1)'",
      "sqlite3 dev.db \"select load_extension('./x')\"",
      "sqlite3 dev.db 'select 1; drop table users'",
      "sqlite3 dev.db 'delete from users'",
      "sqlite3 dev.db '.output x'",
      "sqlite3 -cmd '.shell id' dev.db '.tables'",
      "sqlite3 -init x dev.db '.tables'",
      "sqlite3 /home/me/.config/app.db 'select 1'",
      "sqlite3 dev.db 'select 1' '.shell id'",
      "sqlite3 .env 'select 1'",
      'sqlite3 dev.db "$X"',
    ],
  },
  {
    name: "what this system says about itself",
    unasked: ["cat /etc/os-release", "grep -c processor /proc/cpuinfo", "head -3 /proc/meminfo"],
    attacks: [
      "cat /etc/passwd",
      "cat /proc/self/environ",
      "cat /proc/1/cmdline",
      "echo x > /etc/os-release",
      "cat /proc/cpuinfo /etc/shadow",
      "cat /etc/*",
    ],
  },
  {
    name: "random numbers, and removing an empty folder",
    unasked: ["openssl rand -hex 16", "uuidgen", "rmdir scripts"],
    attacks: [
      "openssl rand -out x 16",
      "openssl rand -engine ./x 16",
      "openssl rand -hex -rand .env 16",
      "uuidgen --namespace x",
      "rmdir /home/me/x",
      "rmdir .git/hooks",
      "./rmdir scripts",
    ],
  },
  {
    name: "a file of the tree, after an answer that allows any code of its language",
    grants: ["Bash(python -c *)"],
    unasked: ["python scripts/gen.py a", "python3 tools/x.py", "python3 - <<'E'\n1\nE"],
    attacks: [
      "python ../x.py",
      "python3 /tmp/x.py",
      "python3 -m http.server",
      "node scripts/x.js",
      "bash scripts/x.sh",
      "python -i x.py",
      ".venv/bin/python x.py",
      "PYTHONPATH=/x python x.py",
    ],
  },
  {
    name: "checking that Python compiles, once code of the tree may run",
    grants: ["Bash(pytest *)"],
    unasked: ["python -m py_compile app/a.py && echo ok", "python3 -m compileall -q src"],
    attacks: [
      "python -m py_compile /etc/x.py",
      "python -m py_compile ../x.py",
      "python -m compileall -d x -p y src",
      "python -m compileall -i names.txt",
      "python -m timeit x",
    ],
  },
  {
    name: "the shell of a Python environment",
    grants: ["Bash(python -m pytest *)"],
    unasked: ["source .venv/bin/activate && python --version", ". venv/bin/activate"],
    attacks: [
      "python -c 'import os; print(os.environ)'",
      "python -c 'import os; os.remove(\"x\")'",
      "python -c 'import sys; print(sys.argv)'",
      "python -c \"import json; print(json.load(open('/etc/x.json')))\"",
      "python -c \"import json; print(json.load(open('.env')))\"",
      "python -c \"import json; print(json.load(open('a.json', 'w')))\"",
      "python -c 'import antigravity; print(antigravity.__file__)'",
      'python -c \'print(__import__("os").system("id"))\'',
      "python -c 'import a; print(a.main())'",
      "python -c 'import a; print(b.version)' x",
      "source scripts/env.sh",
      "source ../.venv/bin/activate",
      "source .venv/bin/activate x",
      "source /tmp/.venv/bin/activate",
    ],
  },
  {
    name: "the version of a program, but no code in a command, whatever it says",
    grants: ["Bash(npm test *)", "Bash(pytest *)"],
    unasked: ["node --version", "python3 --version"],
    attacks: [
      "perl -pi -e 's/\\bvar\\b/const/g' src/a.ts",
      "perl -0pi -e 's/return nil\\n}/return s.drain.Wait()\\n}/' internal/server.go",
      "perl -i -pe 's/(\\w+)_a/$1_b/g; s/x$/y/' a.ts b.ts",
      "perl -ne 'print if /deprecated/i' packages/core/src/*.ts",
      "perl -pi -e 's/x/unlink/e' a",
      "perl -pi -e 's/x/@{[`id`]}/' a",
      "perl -pi -e 's/(?{system 1})x/y/' a",
      "perl -pi -e 's/(??{system 1})x/y/' a",
      "perl -pi -e 's/x/$1[system(1)]/' a",
      "perl -pi -e 's/x/$1->{system 1}/' a",
      "perl -pi -e 's/x/@{\\system 1}/' a",
      "perl -pi -e 's/x/y/; system(1)' a",
      "perl -pi -e 's/x/y/' 'touch x|'",
      "perl -pi -e 's/x/y/' '>x'",
      "perl -pi -e 's/x/y/' *",
      "perl -pie 's/x/y/' a",
      "perl -Mre=eval -pi -e 's/x/y/' a",
      "perl -pi -e 's/x/y/' .git/hooks/pre-commit",
      "perl -pi -e 's/x/y/' ~/.bashrc",
      "perl -ne 'print if /x/' .env",
      "perl -ne 'print if /x/ or system 1' a",
      'perl -pi -e "s/x/$Y/" a',
      "./perl -pi -e 's/x/y/' a",
      "node -p \"require('./package.json').version\"",
      "node -e \"const p=require('./packages/core/package.json'); console.log(p.exports)\"",
      "node -p 'process.versions.v8'",
      "node -e 'console.log(Object.keys(require(\"./package.json\").dependencies).length)'",
      "node -p 'JSON.stringify(require(\"./a.json\").b, null, 2)'",
      "node -p process.env",
      "node -p \"require('./package.json').scripts.x()\"",
      "node -p \"require('child_process').execSync('id')\"",
      "node -p \"require('./x.js')\"",
      "node -p \"require('../../other/package.json').version\"",
      "node -p \"require('./credentials.json')\"",
      'node -p "const process=1; process.env"',
      "node -e \"console.log(require('./a.json'), process.env)\"",
      "node -e \"console.log(require('./a.json')); process.exit(fetch('http://x'))\"",
      "node -r ./x.js -p \"require('./package.json').version\"",
      "node -p \"require('./$X.json')\"",
      "node -p 'global.process.env'",
      "python3 - <<'EOF'\nimport ast\ntree = ast.parse(open('app/a.py').read())\nprint([n.name for n in ast.walk(tree)])\nEOF",
      "cat a.json | python3 -c \"import json,sys; print(json.load(sys.stdin)['a'])\"",
      "python - <<'PY'\nimport json\nprint(len(json.load(open(\"data/orders.json\"))))\nPY",
      "python3 - <<EOF\nprint(open('$HOME/.ssh/id_rsa').read())\nEOF",
      "python3 - <<'EOF'\nprint(open('/etc/passwd').read())\nEOF",
      "python3 - <<'EOF'\nprint(open('.env').read())\nEOF",
      "python3 - <<'EOF'\nopen('.husky/pre-commit', 'w').write('x')\nprint(1)\nEOF",
      "python3 - x <<'EOF'\nimport os; print(os.system('id'))\nEOF",
      "cat code.py | python3 -",
      "python3 < code.py",
      "python3 - <<'EOF' < code.py\nprint(1)\nEOF",
      "python -c 'import sys; print(sys.version)'",
      "python3 -c 'import app, json; print(app.__version__)'",
      "python3 -c \"import json;print(len(json.load(open('testdata/large.json'))))\"",
    ],
  },
  {
    name: "none of these before code of the tree may run",
    unasked: ["node --version"],
    attacks: [
      "node -p \"require('./package.json').version\"",
      "python -c 'import app; print(app.__version__)'",
      "source .venv/bin/activate",
      "python -c 'import sys; print(sys.version)'",
      "node -e \"console.log(require('./a.json'))\"",
    ],
  },
  {
    name: "a revision in the flags of go's linker",
    grants: ["Bash(go build *)"],
    unasked: ['go build -ldflags "-X main.version=$(git rev-parse --short HEAD)" -o bin/app ./cmd/app', 'go build -ldflags="-s -w" ./...'],
    attacks: [
      'go build -ldflags "-X main.version=$(cat x)" ./cmd/app',
      'go build -ldflags "-extld=$(git rev-parse HEAD)" ./cmd/app',
      'go build -ldflags "$(git log -1 --format=%s)" ./cmd/app',
      'go build -ldflags "-X main.a=$(date +%s) -extld=./x" ./cmd/app',
      'go build -ldflags "-X main.a=$VERSION" ./cmd/app',
      'go build -toolexec "$(git rev-parse HEAD)" ./cmd/app',
    ],
  },
];

it.each(classes)("$name: unasked, and none of the attacks on it is", async ({ grants, found, kept, unasked, attacks }) => {
  const decision = async (command: string) => [command, await decided(command, { grants, found, kept })];
  const asked = await Promise.all(unasked.map(decision));
  expect(asked.filter(([, found]) => found !== "allow")).toEqual([]);
  const got = await Promise.all(attacks.map(decision));
  expect(got.filter(([, found]) => found === "allow")).toEqual([]);
});

it("names that a shell splits are asked about, and so are deny rules for what the system says", async () => {
  const outliers = () => ({ sensitive: [], links: [], split: [{ path: "/repo/internal/a ..", kind: "folder" as const }] });
  expect(await decided("for d in $(ls internal); do cat internal/$d/x; done", { found: { outliers } })).toBe("ask");
  const rule = parseRule("Read(//proc/**)");
  if (!rule.ok) throw new Error(rule.reason);
  expect(await decided("cat /proc/cpuinfo", { found: { deny: [{ ...rule.rule, scope: "user" }] } })).toBe("deny");
});
