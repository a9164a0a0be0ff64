import { describe, expect, it } from "vitest";
import { locate } from "../../src/permissions/call.ts";
import { type Decision, decide } from "../../src/permissions/decision.ts";
import { makePolicy, type Policy, type PolicyOrder, type SandboxState } from "../../src/permissions/policy.ts";

async function decided(command: string, order: Partial<PolicyOrder> = {}, found: Partial<Policy> = {}): Promise<Decision> {
  const real = async (path: string) => path;
  const made = await makePolicy({ cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", autoAllow: false, ...order }, real);
  if (!made.ok) throw new Error(made.reason);
  const policy = Object.assign(made.policy, found);
  return decide(await locate({ tool: "Bash", input: { command } }, policy, real), policy);
}

const looks = [
  "node --version && npm -v; python3 -V; git --version 2>&1 | head -1; go version",
  "npm ls --depth=0; npm why left-pad; pip list 2>/dev/null | grep x; pip show x; diff <(pip freeze) a.txt",
  "git config --get user.name; xxd -l 16 a; free -m; uptime; hostname; bash -n a.sh; node --check a.js; gofmt -l .",
  "git clean -n; git clean -n -d src; git clean --dry-run; git submodule status --recursive; git remote get-url origin",
  "sed -n '/^func/,/^}/p' a.go; sed 's/a/b/g' a.ts | head; jq --slurp length a.json; tar -tzf a.tar.gz | head; unzip -l a.zip; zcat a.log.gz",
  "ls -la src",
  "pwd && git status --short | head -20",
  "git diff HEAD~1 -- src && git log --oneline -5 --author=ann",
  "git show HEAD:src/a.ts; git blame a.ts; git branch -a --sort=-committerdate",
  "git branch --list 'f*'; git tag -l; git remote -v; git stash list; git worktree list; git reflog -5",
  "git config --get user.name",
  "cd src && rg -n 'foo|bar' -g '*.ts' | wc -l",
  "grep -rn TODO . --include='*.go' 2>/dev/null | sort | uniq -c | sort -rn",
  "find src -type f -exec head -3 {} +",
  "awk '$1>1' a; awk -F';' 'NR>1 && $5==\"\" {print FILENAME\":\"NR}' a; awk '/^pub (fn|enum)/ || NR==1 {print $0}' a",
  'git log --author="$(git config user.name)" --oneline --since="$(date +%F)" | head -5',
  "sed -n '10,20p' a.ts; awk 'NR > 3 { print $1 }' a.ts; jq .scripts package.json",
  'for f in src/*.ts; do echo $f; wc -l "$f"; done',
  "[ -f a ] && cat a || echo none",
  "(cd web; ls) > /dev/null 2>&1",
  "diff a b; stat a; file a; du -sh src; tree -L 2; which node; command -v go; date +%s; date -u",
  "timeout 5 cat a; x=$(cat a | tr a b); echo $x",
  "tail -f a.txt & sleep 1; kill %1",
  'for f in *.txt; do [ -e "$f" ] || continue; wc -l < "$f"; done; jq --slurp length a.json; grep -E /etc/hosts a.txt',
  "awk '/^func /{print FILENAME\":\"FNR\": \"$0}' a.go; awk -F, 'NR>1 {s+=$3} END {print s/(NR-1)}' a.csv; awk 'length > 120 {print FNR}' a.ts",
  "awk 'NR==FNR {seen[$1]=1; next} !($1 in seen)' a b; sed -n -e 1p -e 's/a/b/; s/c/d/p' a; yq '.a | keys' a.yml; cat a.yml | yq -r .a",
  "go env GOPATH GOMODCACHE; git config user.name; protoc --version; nm -g a.o; size a.o",
];

const more = [
  "awk '{ print > \"b\" }' a",
  'awk \'{ x="}"; print > "b"; y="{" }\' a',
  "awk 'NR > 1 { print >> \"b\" }' a",
  "awk '\"id\" | getline' a",
  "awk '@include \"b\"' a",
  'awk \'/{/ || /"/ { print > "b" }\' a',
  "awk '1 > 0; { print | \"sh\" }' a",
  "git log --format=$X",
  "git log --author=$X",
  'git log --outp="$X"',
  'git log "--$X"',
  "awk '{ print | \"sh\" }' a",
  "awk 'BEGIN { \"id\" | getline x; print x }'",
  "awk 'BEGIN { getline x < \".env\"; print x }'",
  "awk 'BEGIN { ARGV[1]=\".env\"; ARGC=2 } 1' a",
  "awk '@load \"filefuncs\"' a",
  "awk -v x=1 1 a",
  "awk 1 .env",
  "sed -e 's/a/b/e' a",
  "sed -n -e p -e 'w out' a",
  "sed -e 's/a/b/' -e 'r .env' a",
  "sed 's/a/b/; s/c/d/w out' a",
  'sed -e "$SCRIPT" a',
  "sed -e p .env",
  "yq '.a | load(\"b\")' a",
  "yq 'env(KEY)' a",
  "yq 'strenv(KEY)' a",
  "yq 'system(\"id\")' a",
  "pip show --local out x",
  "pip3 check --local=out",
  "go env",
  "go env -w GOFLAGS=-x",
  "go env GOFLAGS",
  "go mod tidy",
  "git config user.name x",
  "npm test",
  "gzip -dc .env",
  "gzip -dc /etc/a.gz",
  "gzip a",
  "gzip -d a.gz",
  "gunzip a.gz",
  "xz -dc --files=list",
  "zstd -dc -o out a.zst",
  "iconv -o out a",
  "iconv -f latin1 /etc/passwd",
  "iconv .env",
  "iconv -f latin1 *.env",
  "dos2unix a",
  "dos2unix -ic .env",
  "dos2unix -n a .envrc",
  "xmllint --noout --shell a.xml",
  "xmllint --noout --noent a.xml",
  "xmllint --noout --loaddtd a.xml",
  "xmllint --noout --xinclude a.xml",
  "xmllint --format --output b a.xml",
  "xmllint --noout http://localhost/a.xml",
  "xmllint --noout --schema http://localhost/a.xsd a.xml",
  "xmllint --noout /etc/a.xml",
  "tar czf a.tgz src",
  "python -m json.tool a.json b.json",
  "python -m json.tool .env",
  "python -m pip list --outdated",
  "python -m pip list --path /etc",
  "python -m pip install x",
  "uv tree --outdated",
  "uv lock",
  "uv python install 3.9",
  "poetry env use ./x",
  "poetry show --latest",
  "make -n --eval=x",
  "make -n SHELL=./x",
  "make -n -f /etc/x",
  "make -n -C ../other",
  "gofmt -d -w .",
  "gofmt -d -r 'a -> b' .",
  "gofmt -d ../other",
  "go env -w GOFLAGS=-x",
  "rustc --print sysroot a.rs",
  "rustc --print=native-static-libs -o x a.rs",
  "npx tsc --version x",
  "npx -p x tsc --version",
  "./frob --version",
  "bin/frob --version",
  "/tmp/frob --version",
  "frob --version x",
  "frob version",
  "frob -v",
  "$X --version",
  "PATH=. frob --version",
  "claude --version",
  "go list -m all",
  "go doc -all ./internal/a",
  "go mod why a.org/b",
  "go env",
  "go tool cover -html=c.out",
  "go tool cover -func=/etc/hosts",
  "go tool cover -func=.env",
  "npm ls -g",
  "npm view x",
  "npm ls --prefix ../other",
  "npm run start",
  "npm pkg set scripts.test=x",
  "npm pkg delete scripts",
  "just test",
  "just --list --justfile /etc/hosts",
  "mypy --version src",
  "npx --version x",
  "lsof",
  "lsof -i :1 -D x",
  "lsof -p 1",
  "zgrep -f pats a.gz",
  "zgrep KEY .env",
  "zegrep -e KEY .env",
  "zgrep x /var/log/a.gz",
  "zgrep x logs/*.gz",
  "zgrep x 'a\nb.gz'",
  "more .env",
  "more -o out a",
  "more +!ls a",
  "less -o out a",
  "less +!ls a",
  "less -k keys a",
  "less .env",
  "printenv API_KEY",
  "printenv PATH API_KEY",
  "unzip -p /etc/a.zip",
  "unzip -p -o a.zip",
  "bash -n",
  "bash a.sh",
  "bash -n -c ls",
  "bash -n +n a.sh",
  "bash -n /etc/profile",
  "sh -n .env",
  "node --check -r ./x a.js",
  "node --check .env",
  "ruby -c a.rb",
  "perl -c a.pl",
  "php -l -d auto_prepend_file=x a.php",
  "gofmt -w a.go",
  "gofmt -d a.go",
  "gofmt -l -w .",
  "gofmt -r 'a -> b' a.go",
  "gofmt -l ../other",
  "openssl x509 -in server.key -noout",
  "openssl x509 -in http://localhost/a -noout",
  "openssl x509 -in file:/etc/a -noout",
  "openssl x509 -in a.crt -out b",
  "openssl x509 -in a.crt -signkey k",
  "openssl x509 -in ../a.crt",
  "openssl rsa -in a",
  "protoc a.proto",
  "protoc --version a.proto",
  "psql --version db",
  "tmux -V new",
  "tmux new",
  "terraform --version",
  "git submodule update",
  "git submodule foreach ls",
  "git submodule status ../other",
  "git remote show origin",
  "git remote remove origin",
  "go version /bin/ls",
  "go env GOPROXY",
  "tokei -i a.json",
  "scc -o out",
  "scc --format-multi csv:out",
  "cloc --config=a",
  "cargo fmt",
  "cargo fmt --check -- --emit=files",
  "tput reset",
  "bc a.bc",
  "yq -i .a=1 a.yml",
  "yq '.a = load(\"b\")' a.yml",
  "yq '.a | env' a.yml",
  "yq .a .env",
  "yq .a /etc/a.yml",
  "tar xf a.tar",
  "tar tf host:a.tar",
  "tar -tf a.tar -I ./x",
  "tar tf a.tar --to-command=./x",
  "unzip a.zip",
  "unzip -l a.zip -d out",
  "zcat .env",
  "zcat /var/log/a.gz",
  "git symbolic-ref HEAD refs/heads/x",
  "git symbolic-ref -d HEAD",
  "git bisect start",
  "git bisect run ./x",
  "git notes add -m x",
  "git notes remove HEAD",
  "git fsck --lost-found",
  "git apply fix.patch",
  "git apply --stat --apply fix.patch",
  "git apply --check --build-fake-ancestor=x fix.patch",
  "git apply --check ../fix.patch",
  "git apply --stat .env",
  "pnpm install",
  "pnpm list --global-dir x",
  "yarn install",
  "yarn -v --cwd x",
  "uv pip install x",
  "uv pip list --python ./x",
  "cargo clippy",
  "rustc --explain a.rs",
  "rustc a.rs",
  "rustup toolchain install x",
  'for f in ../*; do wc -l < "$f"; done',
  'for f in *.txt; do echo > "$f"; done',
  "rg --files | egrep -o 'a.*' | xargs cat",
  "sort *.txt",
  "jq -f a .",
  "pip list --outdated",
  "pip list --path /etc",
  "pip freeze -r .env",
  ".venv/bin/pip list",
  "python -m pip list",
  "nm --plugin ./x a",
  "nm @a",
  "nm /bin/ls",
  "objdump --dwarf=follow-links a",
  "hostname evil",
  "jobs -x make",
  "ss -K dst 1.2.3.4",
  "kill 1",
  "kill -9 -1",
  "kill $PID",
  "kill %1 1",
  "pid=1; pid=$!; kill $pid",
  "read pid < a; kill $pid",
  "pid=$!; kill $pid1",
  "pid=$!; kill 1$pid",
  "pid=$!; kill -- -$pid",
  "[ -n x ] && pid=$!; kill $pid",
  "/bin/kill $X",
  "pkill x",
  "bash -v",
  "node --version x",
  "env",
  "printenv",
  "set",
  "export",
  "declare -x",
  "ps aux",
  "jq -n env",
  "awk 'BEGIN { print ENVIRON[\"KEY\"] }'",
  "./ls",
  "find . -delete",
  "find . -exec rm {} +",
  "find . -name x -fprint out",
  "rg --pre ./x foo",
  "sort -o a a",
  "sort --compress-program=./x a",
  "ls | xargs sort",
  "uniq a b",
  "xxd -r a b",
  "tree -o out",
  "date 01010000",
  "sed -n 'w out' a",
  "sed -i s/a/b/ a",
  "git -c core.pager=./x log",
  "git log --output=x",
  "git shortlog --outp=x HEAD",
  "git diff --ext-diff",
  "git diff --no-index a b",
  "git grep -O./x foo",
  "git branch new",
  "git branch -D old",
  "git tag v1",
  "git remote add x y",
  "git stash",
  "git config user.name me",
  "git config -e",
  "xxd -l 16 a b",
  "bat --version a",
  "git reflog expire --all",
  "git fetch",
  "ls > x",
  "mkdir x",
  "cat $X",
  "cat /etc/hosts",
  "cat ../beside",
  "ls ~",
  "cat .env",
  "git show HEAD:.env",
  "git diff README.md /etc/hostname",
  "git blame --ignore-revs-file=/etc/hostname a",
  "git -C ../other log",
  "cd / && ls",
  "ls; npm test",
  "bash -c ls",
];

const missing: SandboxState = { kind: "missing", why: "bwrap was not found on PATH" };

describe("a command of which every part only reads", () => {
  it.each(looks)("needs no rule, in the mode plan too, with the sandbox and without it: %s", async (command) => {
    const orders: Partial<PolicyOrder>[] = [{ sandbox: { kind: "active" } }, { sandbox: missing }, { mode: "plan" }, { mode: "dontAsk" }];
    const all = await Promise.all(orders.map((order) => decided(command, order)));
    expect(all.map(({ decision, by, reason }) => [decision, by, reason])).toEqual(orders.map(() => ["allow", "default", "It only reads"]));
  });

  it.each(more)("is not one of these: %s", async (command) => {
    expect((await decided(command)).decision).toBe("ask");
    expect((await decided(command, { mode: "plan" })).decision).not.toBe("allow");
  });

  it("is refused in the mode plan for the same reason, whether it is known to write or not", async () => {
    const why = async (command: string) => (await decided(command, { mode: "plan" })).reason;
    expect([await why("touch x"), await why("make")]).toEqual(
      Array(2).fill("In the mode plan nothing is changed, and a command runs only if it reads or stays in the sandbox"),
    );
  });

  it("is denied or asked for as Read would be", async () => {
    const order = { deny: ["Read(private/**)"], ask: ["Read(drafts/**)"], toolignore: { text: "hidden.txt\n", folder: "/repo" } };
    const commands = ["cat private/a", "head drafts/a", "wc hidden.txt", "cat a"];
    const decisions = await Promise.all(commands.map((command) => decided(command, order)));
    expect(decisions.map(({ decision }) => decision)).toEqual(["deny", "ask", "deny", "allow"]);
  });

  const none = { sensitive: [], links: [], everyLink: [] };
  const secrets = ["/repo/.env", "/repo/certs/server.key"];
  it.each([
    ["grep -rn KEY .", "ask"],
    ["grep -rn KEY . --include='*.ts'", "ask"],
    ["grep -rn KEY src", "allow"],
    ["rg KEY", "ask"],
    ["rg KEY src", "allow"],
    ["rg -uu KEY", "ask"],
    ["find . -exec head -1 {} +", "ask"],
    ["find . -name '*.ts'; tree; ls -R", "allow"],
    ["cat *", "allow"],
    ["cat .e*", "ask"],
    ["head certs/*", "ask"],
    ['for f in certs/*; do head -1 < "$f"; done', "ask"],
    ['for f in certs/*.ts; do head -1 < "$f"; done', "allow"],
    ["head certs/*.ts", "allow"],
  ])("reads no file with secrets in the place that it searches: %s is %s", async (command, expected) => {
    const order = { sandbox: { kind: "active" as const } };
    expect((await decided(command, order, { outliers: () => ({ ...none, sensitive: secrets }) })).decision).toBe(expected);
    expect((await decided(command, order, { outliers: () => none })).decision).toBe(command === "cat .e*" ? "ask" : "allow");
  });

  it("is stopped by rules about commands", async () => {
    expect((await decided("ls; git log", { deny: ["Bash(git log:*)"] })).decision).toBe("deny");
    expect((await decided("ls", { ask: ["Bash(ls:*)"] })).decision).toBe("ask");
  });

  it("runs no program from a place where agents or repositories can put one", async () => {
    const programs: Policy["programs"] = (name) => (name === "ls" ? "within" : "elsewhere");
    const decisions = await Promise.all(
      ["ls", "cat a", "echo a", "cat a | timeout 5 ls"].map((command) => decided(command, {}, { programs })),
    );
    expect(decisions.map(({ decision }) => decision)).toEqual(["ask", "allow", "allow", "ask"]);
  });

  it("does not cover git if the repository makes it start a program and nothing confines that", async () => {
    const gitRuns = new Map([["/repo", "core.fsmonitor in the settings of /repo"]]);
    const sandboxes: SandboxState[] = [{ kind: "active" }, { kind: "off" }, missing];
    const decisions = await Promise.all(sandboxes.map((sandbox) => decided("git status", { sandbox }, { gitRuns })));
    expect(decisions.map(({ decision }) => decision)).toEqual(["allow", "ask", "ask"]);
  });

  it("is not given to an agent whose definition does not name it", async () => {
    expect((await decided("ls", { tools: ["Read", "Bash(npm test:*)"] })).decision).toBe("deny");
  });
});

describe("a command that does nothing but change files", () => {
  it.each([
    "mkdir -p src/new && touch src/new/a.ts",
    "cp a.ts b.ts; mv b.ts c.ts",
    "cat > a.ts <<'END'\nconst a = 1;\nEND",
    "echo a >> notes.txt; printf 'b' | tee -a notes.txt",
    "chmod +x run.sh",
    "sed -i 's/a/b/' a.ts; rmdir empty",
  ])("may where Edit may: %s", async (command) => {
    const by = (order: Partial<PolicyOrder>) => decided(command, order).then(({ decision }) => decision);
    expect(await Promise.all([by({}), by({ mode: "acceptEdits" }), by({ allow: ["Edit"] }), by({ mode: "plan" })])).toEqual([
      "ask",
      "allow",
      "allow",
      "deny",
    ]);
  });

  it.each([
    "rm a.ts",
    "rm -rf src",
    "cp a .git/hooks/pre-commit",
    "mv a .envrc",
    "cp .env a",
    "sed -i'../*' s/a/b/ a",
    "chmod u+s a",
    "cp -s a b",
    "cp --backup a b",
    "ln -s /etc a",
    "mkdir $X",
    "echo a > TOOL.md",
    "touch ../a",
    "gzip .envrc",
    "gzip .git/hooks/pre-commit",
    "gzip ../a",
    "gzip -r src",
    "gunzip .envrc.gz",
    "tar czf a.tgz .env",
    "tar czf ../a.tgz src",
    "tar czf a.tgz ../other",
    "tar czf .git/hooks/x src",
    "tar czf host:a.tgz src",
    "tar czf a.tgz -C / etc",
    "tar czf a.tgz -T list",
    "tar czf a.tgz --to-command=./x src",
    "tar czf a.tgz --checkpoint-action=exec=./x src",
    "tar czf a.tgz --remove-files src",
    "tar xzf a.tgz",
  ])("is not one of these, and acceptEdits does not cover it: %s", async (command) => {
    expect((await decided(command, { mode: "acceptEdits" })).decision).not.toBe("allow");
  });
});
