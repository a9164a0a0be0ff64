// Which rules a question offers: one for each part that needs permission, and never more than was asked for.
import { expect, it } from "vitest";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { offers } from "../../src/permissions/offers.ts";
import { makePolicy, type PolicyOrder } from "../../src/permissions/policy.ts";

const real = async (path: string) => path;

async function world(order: Partial<PolicyOrder> = {}) {
  const made = await makePolicy(
    { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", sandbox: { kind: "active" }, autoAllow: false, ...order },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  const located = (command: string) => locate({ tool: "Bash", input: { command } }, made.policy, real);
  return {
    async offered(command: string) {
      const call = await located(command);
      return offers(call, decide(call, made.policy), made.policy);
    },
    async decisionWith(rules: Awaited<ReturnType<typeof offers>>[number]["rules"], command: string) {
      const { grants } = made.policy;
      return decide(await located(command), { ...made.policy, grants: { ...grants, rules: [...grants.rules, ...rules] } }).decision;
    },
  };
}

const texts = async (command: string, order?: Partial<PolicyOrder>) =>
  (await (await world(order)).offered(command)).map((offer) => offer.texts.map((text) => text.replace(/^Bash\((.*)\)$/s, "$1")));

it("offers equally wide rules if the sandbox is missing, and none if it is lost, because none would help", async () => {
  const why = "bwrap was not found on PATH";
  expect(await texts("npm test", { sandbox: { kind: "missing", why } })).toEqual([["npm test *"], ["npm test"]]);
  expect(await texts("npm test", { sandbox: { kind: "lost", why } })).toEqual([]);
});

it("tells the rules that allow any code of a language from those for one script or tool", async () => {
  const { offered } = await world();
  const isAnyCode = async (command: string) => (await offered(command)).map(({ anyCode }) => anyCode);
  expect(await Promise.all(["python3 -c 'print(1)'", "node - <<'E'\n1\nE", "python3 gen.py", "npm test"].map(isAnyCode))).toEqual([
    [true, false],
    [true, false],
    [false, false],
    [false, false],
  ]);
});

it.each<[string, string[][]]>([
  ["npm test", [["npm test *"], ["npm test"]]],
  ["npm run build -- --fast", [["npm run build *"], ["npm run build -- --fast"]]],
  [
    "git add -A && git commit -m 'a b'",
    [
      ["git add *", "git commit *"],
      ["git add -A", "git commit -m 'a b'"],
    ],
  ],
  ["npx vitest run a.test.ts", [["npx vitest *"], ["npx vitest run a.test.ts"]]],
  ["timeout 60 npm test | tail -5", [["npm test *"], ["npm test"]]],
  [
    "cargo test --all && cargo clippy",
    [
      ["cargo test *", "cargo clippy *"],
      ["cargo test --all", "cargo clippy"],
    ],
  ],
  ["python -m pytest -q tests", [["python -m pytest *"], ["python -m pytest -q tests"]]],
  ["python scripts/gen.py a", [["python scripts/gen.py *"], ["python scripts/gen.py a"]]],
  ["make lint", [["make lint *"], ["make lint"]]],
  [
    "mkdir -p a/b && mv a.ts a/b",
    [
      ["mkdir *", "mv *"],
      ["mkdir -p a/b", "mv a.ts a/b"],
    ],
  ],
  ["git push origin main", [["git push origin *"], ["git push origin main"]]],
  ["node -e 'x()'", [["node -e *"], ["node -e 'x()'"]]],
  ["gh pr view 3 --json title", [["gh pr view *"], ["gh pr view 3 --json title"]]],
  ["npx --no-install tsc --noEmit", [["npx --no-install tsc *"], ["npx --no-install tsc --noEmit"]]],
  ["npx tsx src/a.ts --fast", [["npx tsx src/a.ts *"], ["npx tsx src/a.ts --fast"]]],
  ["npx playwright test a", [["npx playwright test *"], ["npx playwright test a"]]],
  ["mvn -q test", [["mvn -q test *"], ["mvn -q test"]]],
  ["cmake --build out", [["cmake --build *"], ["cmake --build out"]]],
  ["git push", [["git push"]]],
  ["curl -s localhost:3000/a | jq .", [["curl localhost:3000/*"], ["curl -s localhost:3000/a"]]],
  ["PYTHONUNBUFFERED=1 python -m ledger import a.csv", [["python -m ledger *"], ["PYTHONUNBUFFERED=1 python -m ledger import a.csv"]]],
  ["python -m timeit x", [["python -m timeit x"]]],
  ["python3 -m http.server 80", [["python3 -m http.server 80"]]],
  ["git switch feature", [["git switch *"], ["git switch feature"]]],
  ["sh -c 'make x && make y'", [["sh -c 'make x && make y'"]]],
])("%s: a rule for each part", async (command, wanted) => {
  expect(await texts(command)).toEqual(wanted);
});

it.each<[string, string[][]]>([
  ["make -n build", [["make -n *"], ["make -n build"]]],
  ["python -m pip show left-pad", [["python -m pip show *"], ["python -m pip show left-pad"]]],
])("%s: a rule for looking, without a sandbox", async (command, wanted) => {
  expect(await texts(command, { sandbox: { kind: "missing", why: "bwrap was not found" } })).toEqual(wanted);
});

it.each<[string, string[][]]>([
  ["rm -rf build", [["rm -rf build"]]],
  ["git push --force origin main", [["git push --force origin main"]]],
  ["find . -name '*.log' -delete", [["find . -name '*.log' -delete"]]],
  ["git reset --hard HEAD~1", [["git reset --hard HEAD~1"]]],
  ["node --version", [["node --version"]]],
  ["npm exec tsc -- -p .", [["npm exec tsc -- -p ."]]],
  ["git -c a=b push", [["git -c a=b push"]]],
  [
    "npm test && rm -rf build",
    [
      ["npm test *", "rm -rf build"],
      ["npm test", "rm -rf build"],
    ],
  ],
])("%s: exact if a wildcard would cover what it does", async (command, wanted) => {
  expect(await texts(command)).toEqual(wanted);
});

it("leaves out the parts that pass, and falls back to the whole line only if its parts cannot be determined", async () => {
  expect(await texts("npm test && make x", { allow: ["Bash(npm test)"] })).toEqual([["make x *"], ["make x"]]);
  expect(await texts('npm test -- -t "$X" && make x')).toEqual([
    ["npm test *", "make x *"],
    ["npm test *", "make x"],
  ]);
  expect(await texts('frob "$X" && make x')).toEqual([['frob "$X" && make x']]);
  expect(await texts("echo $((")).toEqual([["echo $(("]]);
});

it("offers nothing if no rule helps", async () => {
  expect(await texts("echo x > .envrc && rm *")).toEqual([]);
});

it.each([
  ["git add a && git commit -m x", ["git rm a", "git -c core.pager=x commit", "git push"]],
  ["git push origin main", ["git push --force origin main", "git push origin +main", "git push origin :main", "git push other main"]],
  ["npm run build", ["npm run deploy", "npm exec x", "npm run build; rm -rf src"]],
  ["mv a.ts b.ts", ["mv a.ts /etc/b", "mv a.ts .envrc", "mv --backup=x a b"]],
  ["python scripts/gen.py a", ["python other.py", "python -c 'x'"]],
  ["python3 <<'END'\nprint(1)\nEND", ["python3 ../other.py", "python3 -m http.server", "node <<'END'\n1\nEND", "python3 -i other.py"]],
  ["gh pr view 3", ["gh pr merge 3", "gh pr view 3 --web", "gh api x", "gh pr create --fill"]],
  ["npx -y prettier --check .", ["npx -y left-pad", "npx -y -p x prettier", "npx left-pad", "npx -y -c 'prettier'"]],
  ["npx tsx src/a.ts", ["npx tsx src/b.ts", "npx tsx -e x", "npx x src/a.ts"]],
  ["make -n build", ["make build", "make -n --eval=x", "make -n SHELL=./x build"]],
  ["cmake --build out", ["cmake -E rm x", "cmake -P x.cmake", "cmake --install out"]],
  ["python -m pip list", ["python -m pip install x", "python -m pip uninstall x", "python -m venv x"]],
  ["uv build", ["uv publish", "uv pip install x", "uv tool run x"]],
  ["find . -name '*.log' -delete", ["find . -name 'a.log' -delete", "find . -name '*.ts' -delete", "find . -name \"'x.log'\" -delete"]],
])("no offer for %s covers %j", async (command, others) => {
  const { offered, decisionWith } = await world();
  for (const offer of await offered(command)) {
    expect(await decisionWith(offer.rules, command)).toBe("allow");
    for (const other of others)
      expect([offer.texts, other, await decisionWith(offer.rules, other)]).toEqual([
        offer.texts,
        other,
        expect.not.stringMatching("allow"),
      ]);
  }
});

it("offers no wildcard if the home directory is the working directory or inside it", async () => {
  for (const cwd of ["/home/me", "/home"]) expect(await texts("npm test && touch a", { cwd })).toEqual([["npm test", "touch a"]]);
  expect(await texts("npm test", { cwd: "/home/me/project" })).toEqual([["npm test *"], ["npm test"]]);
});

it.each<[string, string, "allow" | "ask"]>([
  ["python -c *", "python3 -c 'print(1)'", "allow"],
  ["python -c *", "python3 - <<'EOF'\nprint(1)\nEOF", "allow"],
  ["python -c *", "python3 <<'EOF'\nprint(1)\nEOF", "allow"],
  ["python3 x.py *", "python3 <<'EOF'\nprint(1)\nEOF", "ask"],
  ["perl -pi -e *", "perl -0pi -e 's/a/b/' a.txt", "allow"],
  ["node -e *", "node --input-type=module -e 'x()'", "allow"],
  ["node -e *", "node -p 1", "allow"],
  ["curl http://localhost:3000/*", "curl -fsS -i 'http://localhost:3000/health?a=1'", "allow"],
  ["curl http://localhost:3000/*", "curl http://localhost:3000/a -s -o /dev/null -w '%{http_code}'", "allow"],
  ["curl http://localhost:3000/*", "curl -s -o /dev/null -w '%{http_code}\\n' http://localhost:3000/a", "allow"],
  ["curl http://localhost:3000/*", "curl -s localhost:3000/a", "allow"],
  ["curl localhost:3000/*", "curl -s http://localhost:3000/a", "allow"],
  ["curl localhost:3000/*", "curl -s https://localhost:3000/a", "ask"],
  ["curl localhost:3000/*", "curl -s http://localhost:3000.evil.example/a", "ask"],
  ["curl http://localhost:3000/*", "curl -s -o x http://localhost:3000/a", "ask"],
  ["curl http://localhost:3000/*", "curl -s -w @x http://localhost:3000/a", "ask"],
  ["curl http://localhost:3000/*", "curl -s -w '%output{x}a' http://localhost:3000/a", "ask"],
  ["curl http://localhost:3000/*", "curl -s -o /dev/null -o x http://localhost:3000/a", "ask"],
  ["curl http://localhost:3000/*", "curl http://localhost:3000/ -o /dev/null -o x", "ask"],
  ["curl http://localhost:3000/*", "curl -s -X POST -d a=1 http://localhost:3000/put", "ask"],
  ["curl http://localhost:3000/*", "curl http://localhost:3000/ -o x", "ask"],
  ["curl http://localhost:3000/*", "curl http://localhost:3000/ evil", "ask"],
  ["curl http://localhost:3000/*", "curl http://localhost:3000/ 2130706433", "ask"],
  ["curl http://localhost:3000/*", "curl -e http://localhost:3000/ http://evil.example/", "ask"],
  ["curl http://localhost:3000/*", "curl -s http://localhost:3000@evil.example/", "ask"],
  ["curl http://localhost:3000/*", "curl -s http://localhost:30001/", "ask"],
  ["curl http://localhost:3000/*", "curl -s -K x http://localhost:3000/", "ask"],
  ["curl http://localhost:3000/*", "curl http://localhost:3000/ -d @a.txt", "ask"],
  ["curl http://localhost:3000/*", "curl http://localhost:3000/ --proxy x:1", "ask"],
  ["node -e *", "node -r ./x.js -e 'x()'", "ask"],
  ["node -e *", "python -c 'x()'", "ask"],
  ["node -e *", ".venv/bin/node -e 'x()'", "ask"],
  ["python *", "python -c 'x()'", "ask"],
  ["python3 *", "python3 <<'EOF'\nprint(1)\nEOF", "ask"],
  ["python -m pytest *", "python -c 'x()'", "ask"],
  ["python -c *", "PYTHONPATH=/x python -c 'x()'", "ask"],
])(
  "a rule for the code of a language, or for a server of this machine, is about no more than that: %s, %s is %s",
  async (rule, command, expected) => {
    const { decisionWith } = await world({ allow: [`Bash(${rule})`] });
    expect(await decisionWith([], command)).toBe(expected);
  },
);

const rulesFor = (command: string, order?: Partial<PolicyOrder>) =>
  world(order)
    .then((one) => one.offered(command))
    .then((found) => found[0]?.texts);

it("offers the folder if a command only reads files outside, so that the next file in it needs no question", async () => {
  const { offered, decisionWith } = await world();
  const [first] = await offered("ls ~/.cargo/registry/src/*/ | head");
  expect(first?.texts).toEqual(["Read(//home/me/.cargo/registry/src)"]);
  const covered = ["ls ~/.cargo/registry/src", "cat ~/.cargo/registry/src/a/b.rs", "ls ~/.cargo", "cp a ~/.cargo/registry/src/a"];
  expect(await Promise.all(covered.map((command) => decisionWith(first!.rules, command)))).toEqual(["allow", "allow", "ask", "deny"]);
});

it.each<[string, string[]]>([
  ["cat ~/go/pkg/mod/x@v1/a.go | head", ["Read(//home/me/go/pkg/mod/x@v1)"]],
  ["grep -rn foo ~/go/pkg/mod/x@v1", ["Read(//home/me/go/pkg/mod/x@v1)"]],
  ["ls /usr/include", ["Read(//usr/include)"]],
  ["cd ~/src/other && npm test", ["Read(//home/me/src/other)", "Bash(npm test *)"]],
  ["git -C ~/src/other log", ["Read(//home/me/src/other)"]],
  ["cat ~/src/a/b ~/src/c/d", ["Read(//home/me/src/a)", "Read(//home/me/src/c)"]],
  ["cat ~/src/a/b ~/.bash_history", ["Bash(cat ~/src/a/b ~/.bash_history)"]],
  ["ls ~/.cargo", ["Bash(ls ~/.cargo)"]],
  ["cat ~/.cargo/config.toml", ["Bash(cat ~/.cargo/config.toml)"]],
  ["cat ~/.ssh/a/b", ["Bash(cat ~/.ssh/a/b)"]],
  ["cat /proc/self/environ", ["Bash(cat /proc/self/environ)"]],
  ["cat /etc/ssl/a", ["Bash(cat /etc/ssl/a)"]],
])("opens the folder of one program or project, and none that contains more: %s", async (command, expected) => {
  expect(await rulesFor(command)).toEqual(expected);
});

it.each<[string, string]>([
  ["go env", "Bash(go env *)"],
  ["go env -w GOFLAGS=-x", "Bash(go env -w GOFLAGS=-x)"],
  ["go env -u GOFLAGS", "Bash(go env -u GOFLAGS)"],
  ["rustc --explain E0382", "Bash(rustc --explain *)"],
  ["alembic history", "Bash(alembic history *)"],
  ["rustup show active-toolchain", "Bash(rustup show *)"],
  ["cargo pkgid serde", "Bash(cargo pkgid *)"],
  ["alembic upgrade head", "Bash(alembic upgrade head)"],
  ["docker compose ps", "Bash(docker compose ps *)"],
  ["perl -pi -e 's/a/b/' a", "Bash(perl -pi -e *)"],
])("offers what covers the next one of its kind: %s", async (command, rule) => {
  expect(await rulesFor(command, { sandbox: { kind: "missing", why: "bwrap was not found on PATH" } })).toEqual([rule]);
});
