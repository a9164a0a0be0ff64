// Which rules a question offers: one for each part that needs permission, and never more than was asked for.
import { expect, it } from "vitest";
import { locate } from "../../../src/permissions/call.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { makePolicy, type PolicyOrder } from "../../../src/permissions/policy.ts";
import { offers } from "../../../src/permissions/questions/offers.ts";

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
  ["npx vitest run a.test.ts", [["npx vitest run *"], ["npx vitest run a.test.ts"]]],
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
  ["make -C tools -s lint", [["make lint *"], ["make -C tools -s lint"]]],
  ["pnpm --filter core test a", [["pnpm test *"], ["pnpm --filter core test a"]]],
  ["git -C web commit -m x", [["git commit *"], ["git -C web commit -m x"]]],
  ["git -C web push", [["git -C web push"]]],
  ["git st -s", [["git st *"], ["git st -s"]]],
  ["git -c alias.x='clean -xfd' x", [["git -c alias.x='clean -xfd' x"]]],
  [
    "mkdir -p a/b && mv a.ts a/b",
    [
      ["mkdir *", "mv *"],
      ["mkdir -p a/b", "mv a.ts a/b"],
    ],
  ],
  ["git push origin main", [["git push origin main"]]],
  ["node -e 'x()'", [["node -e 'x()'"]]],
  ["gh pr view 3 --json title", [["gh pr view *"], ["gh pr view 3 --json title"]]],
  ["uv run pytest -q", [["uv run pytest *"], ["uv run pytest -q"]]],
  ["npx tsx src/a.ts --fast", [["npx tsx src/a.ts *"], ["npx tsx src/a.ts --fast"]]],
  ["npx playwright test a", [["npx playwright test *"], ["npx playwright test a"]]],
  ["mvn -q test", [["mvn -q test"]]],
  ["cmake --build out", [["cmake --build out"]]],
  ["git push", [["git push"]]],
  ["curl -s localhost:3000/a | jq .", [["curl -s localhost:3000/a"]]],
  ["PYTHONUNBUFFERED=1 python -m pytest a.py", [["python -m pytest *"], ["PYTHONUNBUFFERED=1 python -m pytest a.py"]]],
  ["./scripts/check.sh a", [["./scripts/check.sh *"], ["./scripts/check.sh a"]]],
  [".venv/bin/pytest -q", [[".venv/bin/pytest *"], [".venv/bin/pytest -q"]]],
  ["pnpm vitest run a", [["pnpm vitest run *"], ["pnpm vitest run a"]]],
  ["docker build -t a .", [["docker build *"], ["docker build -t a ."]]],
  ["python -m timeit x", [["python -m timeit x"]]],
  ["python3 -m http.server 80", [["python3 -m http.server 80"]]],
  ["git switch feature", [["git switch *"], ["git switch feature"]]],
  ["lua a.lua x", [["lua a.lua *"], ["lua a.lua x"]]],
  ["mise run lint", [["mise run lint *"], ["mise run lint"]]],
  ["git bisect start a b", [["git bisect start *"], ["git bisect start a b"]]],
  ["sh -c 'make x && make y'", [["sh -c 'make x && make y'"]]],
])("%s: a rule for each part", async (command, wanted) => {
  expect(await texts(command)).toEqual(wanted);
});

it.each<[string, string[][]]>([
  ["make -n build", [["make -n build"]]],
  ["python -m pip show left-pad", [["python -m pip show left-pad"]]],
])("%s: a rule for looking, without a sandbox", async (command, wanted) => {
  expect(await texts(command, { sandbox: { kind: "missing", why: "bwrap was not found" } })).toEqual(wanted);
});

it.each<[string, string[][]]>([
  ["rm -rf build", [["rm -rf build"]]],
  ["git push --force origin main", [["git push --force origin main"]]],
  ["find . -name '*.log' -delete", [["find . -name '\\*.log' -delete"]]],
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
  ...[
    "pwsh -c x",
    "osascript -e x",
    "ipython -c x",
    "lua -e x",
    "Rscript -e x",
    "julia -e x",
    "java -jar a.jar",
    "pypy3 -c x",
    "gdb a",
    "psql -c x",
    "frob -c 'a(b)'",
    "mise exec node@20 -- node a",
    "lerna exec ls",
    "direnv exec . a",
    "volta run node a",
    "conda run python -c x",
    "nix run a#b",
    "ansible all -m shell -a x",
    "docker compose exec web sh",
    "docker compose run web sh",
    "git submodule foreach ls",
    "git submodule --quiet",
    "git bisect run make",
    "git hook run pre-commit",
    "tar xf a.tar",
    "rsync -a a b",
    "sqlite3 a.db x",
    "zip a.zip b",
    "man a",
    "frob a",
    ..."eval ls,trap ls EXIT,source a.sh,tclsh a.tcl,expect a.exp,scala a.scala,unshare ls,nsenter ls,ltrace ls,entr ls,nodemon a.js".split(
      ",",
    ),
    ..."concurrently 'a' 'b',direnv allow,pdm build,hatch build,vagrant up,dd if=a of=b,hyperfine ls,gotestsum a,ldd a,split a b".split(
      ",",
    ),
    ..."python3 -m cProfile a.py,python3 -m coverage run a.py,python -m ledger import a,coverage run a.py,tox -e py,nox -s a".split(","),
    ..."git clone a b,git fetch,git archive HEAD,git submodule update,git rebase main,git pull,npm init a,npm pkg get a".split(","),
    ..."gh extension list,node_modules/.bin/nodemon a,./node_modules/.bin/frob a,../frob a,/tmp/frob a,docker run a,go run .".split(","),
  ].map((command): [string, string[][]] => [command, [[command]]]),
])("%s: exact if a wildcard would cover what it does", async (command, wanted) => {
  expect(await texts(command)).toEqual(wanted);
});

it("leaves out the parts that pass, and falls back to the whole line only if its parts cannot be determined", async () => {
  expect(await texts("npm test && make x", { allow: ["Bash(npm test)"] })).toEqual([["make x *"], ["make x"]]);
  expect(await texts('npm test -- -t "$X" && make x')).toEqual([
    ["npm test *", "make x *"],
    ["npm test *", "make x"],
  ]);
  expect(await texts('pytest "$X" && make x')).toEqual([
    ["pytest *", "make x *"],
    ["pytest *", "make x"],
  ]);
  expect(await texts('frob "$X" && make x')).toEqual([['frob "$X" && make x']]);
  expect(await texts('sh -c "$X" && make x')).toEqual([['sh -c "$X" && make x']]);
  expect(await texts("echo $((")).toEqual([["echo $(("]]);
});

it("offers nothing if no rule helps", async () => {
  expect(await texts("make x", { sandbox: { kind: "lost", why: "it is gone" } })).toEqual([]);
});

it.each([
  ["git add a && git commit -m x", ["git rm a", "git -c core.pager=x commit", "git push"]],
  ["git push origin main", ["git push --force origin main", "git push origin +main", "git push origin :main", "git push other main"]],
  ["git push", ["git push --force", "git push other main"]],
  ["npm run build", ["npm run deploy", "npm exec x", "npm run build; rm -rf src"]],
  ["mv a.ts b.ts", ["mv a.ts /etc/b", "mv a.ts .envrc"]],
  ["python scripts/gen.py a", ["python other.py", "python -c 'x'"]],
  ["python3 <<'END'\nprint(1)\nEND", ["python3 ../other.py", "python3 -m http.server", "node <<'END'\n1\nEND", "python3 -i other.py"]],
  ["gh pr view 3", ["gh pr merge 3", "gh api x", "gh pr create --fill"]],
  ["npx prettier --check .", ["npx left-pad", "npx -p x prettier", "npx -c 'prettier'"]],
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

it("offers the file, and its folder if that belongs to one project, for a tool that reads outside", async () => {
  const made = await makePolicy({ cwd: "/projects/app", home: "/home/me", configDir: "/home/me/.tool" }, real);
  if (!made.ok) throw new Error(made.reason);
  const of = async (path: string) => {
    const call = await locate({ tool: "Read", input: { path } }, made.policy, real);
    return offers(call, decide(call, made.policy), made.policy).flatMap((offer) => offer.texts);
  };
  expect(await of("../other/a.txt")).toEqual(["Read(//projects/other/a.txt)", "Read(//projects/other)"]);
  expect(await of("~/src/lib/a.txt")).toEqual(["Read(//home/me/src/lib/a.txt)", "Read(//home/me/src/lib)"]);
  expect(await Promise.all(["/projects/a.txt", "~/a.txt", "/etc/hosts"].map(of))).toEqual([
    ["Read(//projects/a.txt)"],
    ["Read(//home/me/a.txt)"],
    ["Read(//etc/hosts)"],
  ]);
});

it("offers nothing for always where work would be lost", async () => {
  const { offered } = await world();
  const always = async (command: string) => (await offered(command)).map((offer) => offer.always);
  expect(await Promise.all(["git reset --hard", "npm test && git clean -fd", "npm test"].map(always))).toEqual([
    [false],
    [false, false],
    [true, true],
  ]);
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
  ["alembic history -r a:b", "Bash(alembic history *)"],
  ["rustup show active-toolchain", "Bash(rustup show *)"],
  ["cargo pkgid serde", "Bash(cargo pkgid *)"],
  ["alembic upgrade head", "Bash(alembic upgrade *)"],
  ["docker compose ps", "Bash(docker compose ps *)"],
  ["perl -pi -e 's/a/b/' a", "Bash(perl -pi -e 's/a/b/' a)"],
  ["xargs wc", "Bash(wc *)"],
  ["sed '/x/w out' a", "Bash(sed '/x/w out' a)"],
])("offers what covers the next one of its kind: %s", async (command, rule) => {
  expect(await rulesFor(command, { sandbox: { kind: "missing", why: "bwrap was not found on PATH" } })).toEqual([rule]);
});
