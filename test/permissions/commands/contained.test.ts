// Commands allowed because they stay in the sandbox: which ones, which still need a question, and where this does not apply.
import { describe, expect, it } from "vitest";
import { locate } from "../../../src/permissions/call.ts";
import { withKept } from "../../../src/permissions/commands/kept-files.ts";
import { decide } from "../../../src/permissions/decision.ts";
import { makePolicy, type PolicyOrder } from "../../../src/permissions/policy.ts";
import { pathClasses } from "../../../src/permissions/sandbox/sandbox-view.ts";

const real = async (path: string) => path;

async function policyOf(order: Partial<PolicyOrder> = {}) {
  const made = await makePolicy(
    { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", sandbox: { kind: "active" }, ...order },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  return made.policy;
}

/** `kept`: the absolute paths whose content git has, or where no file is. */
async function decision(command: string, order: Partial<PolicyOrder> = {}, kept: string[] | "all" = []) {
  const policy = await policyOf(order);
  const call = await locate({ tool: "Bash", input: { command } }, policy, real);
  return decide(await withKept(call, policy, async (path) => kept === "all" || kept.includes(path)), policy);
}

const decisions = (commands: string[], order?: Partial<PolicyOrder>, kept?: string[] | "all") =>
  Promise.all(commands.map(async (command) => [command, (await decision(command, order, kept)).decision]));
const all = (commands: string[], wanted: string) => commands.map((command) => [command, wanted]);

describe("everything that stays in the sandbox", () => {
  it("runs commands that stay there without a question", async () => {
    const commands = [
      "npm test",
      "node -e 'console.log(1)'",
      "python - <<'E'\nprint(1)\nE",
      "make && ./run.sh --fast > out.txt",
      "mkdir -p a/b && cp a.ts a/b && mv a.ts b.ts",
      "sed -i 's/a/b/' src/a.ts",
      "find . -name '*.ts' -exec wc -l {} +",
      'for f in src/*.ts; do cat "$f" > "$f.bak"; done',
      "git add -A && git commit -m x && git switch -c feature",
      "git reset --soft HEAD~1",
      "tar -xzf a.tgz",
      "go run . | tail -3",
      "rmdir build",
      "source .venv/bin/activate && pytest -q",
      "grep -rl old --include=*.go . | xargs sed -i s/old/new/",
      "pwd",
    ];
    expect(await decisions(commands, {}, "all")).toEqual(all(commands, "allow"));
  });

  it("removes files in the session's own /tmp, and sends requests to a server inside the sandbox", async () => {
    const made = await policyOf({ temporary: "/home/me/.tool/state/tmp" });
    const policy = { ...made, privateTmp: made.temporary };
    const commands = ["rm -rf /tmp/cov", 'd=$(mktemp -d); rm -r "$d"', "./serve & sleep 1; curl -s localhost:3000/health", "rm -rf /tmp"];
    const found = commands.map(async (command) => {
      const call = await locate({ tool: "Bash", input: { command } }, policy, real);
      return decide(await withKept(call, policy, async () => false), policy).decision;
    });
    expect(await Promise.all(found)).toEqual(["allow", "allow", "allow", "ask"]);
  });

  it("asks if work may be lost, the network is needed, or a place outside is named", async () => {
    const commands = [
      "git reset --hard",
      ". /etc/profile",
      "git clean -fd",
      "git checkout -- src",
      "git checkout .",
      "git restore src/a.ts",
      "git stash",
      "git branch -D feature",
      "git -C sub reset --hard",
      "/usr/lib/git-core/git-reset --hard",
      "rm notes.txt",
      "rm -rf .",
      "find . -name '*.ts' -delete",
      "find . -name '*.ts' -exec rm {} +",
      "find . -name '*.ts' | xargs rm",
      "sh -c 'rm -rf src'",
      "rm *.log",
      'rm "$f"',
      "npm install",
      "curl https://example.com",
      "git push",
      "cat ../other/a.txt",
      "git -C /other status -s --porcelain=v2 --show-stash",
      "echo x > .git/hooks/pre-commit",
      "cat .env",
      "echo x > notes.txt",
      "npm test | tee notes.txt",
      "cp a.txt notes.txt",
      "sed -i s/a/b/ notes.txt",
    ];
    expect(await decisions(commands)).toEqual(all(commands, "ask"));
  });

  it("allows what cannot be seen through: the sandbox bounds what it does", async () => {
    const commands = [
      "source <(echo rm -rf src)",
      "git -c core.pager=x log",
      "tar --checkpoint-action=exec=x -cf a.tar src",
      "rg --pre ./x a",
      "awk 'BEGIN { system(\"x\") }'",
      "$X src",
      'eval "$(cat a.sh)"',
      "node -e 'x()'",
      "n=$(cat a); echo $((n + 1))",
      "[[ $(wc -l < a) -gt 3 ]] && make",
      "declare -n x=y; coproc cat",
    ];
    expect(await decisions(commands)).toEqual(all(commands, "allow"));
    const unknown = ["$X src", "eval $Y", "n=$(cat a); echo $((n + 1))"];
    expect(await decisions(unknown, { deny: ["Bash(make:*)"] })).toEqual(all(unknown, "ask"));
    const losing = ["rm -r src; n=$(cat a); echo $((n))", "git push; coproc cat"];
    expect(await decisions(losing)).toEqual(all(losing, "ask"));
  });

  it("asks what a subcommand does that git itself does not have", async () => {
    const commands = [
      "git wip",
      "git -c alias.x='clean -xfd' x",
      "git -c alias.lfs='stash clear' lfs",
      "git --config-env=alias.x=A x",
      "git -c include.path=/tmp/x x",
      "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='reset --hard' git x",
      "git-wip",
      "cd sub && git wip --all",
      "xargs git wip",
      'git "$VERB"',
      "for v in status wip; do git $v; done",
    ];
    expect(await decisions(commands)).toEqual(all(commands, "ask"));
    expect((await decision("git wip -a")).reason).toBe("What git wip does is not known here, and work that git does not have may be lost");
    const known = ["for v in status log; do git $v; done", "git --version", "git -C sub status", "/usr/lib/git-core/git-log", "git"];
    expect(await decisions([...known, "git wip -b"], { allow: ["Bash(git wip *)"] })).toEqual(all([...known, "git wip -b"], "allow"));
  });

  it("asks before a branch, a tag or a stash loses its only name, and before changes are hidden from git", async () => {
    const commands = [
      "git switch -C feat",
      "git checkout -B feat",
      "git worktree add -B feat ../w",
      "git branch -f feat",
      "git fetch . +main:feat",
      "git update-ref refs/heads/feat HEAD",
      "git update-ref -d refs/heads/feat",
      "git symbolic-ref refs/heads/feat refs/heads/main",
      "git tag -f v1",
      "git stash drop",
      "git reflog expire --expire=now --all",
      "git reflog delete HEAD@{1}",
      "git gc --prune=now",
      "git repack -ad",
      "git prune",
      "git worktree remove --force w",
      "git submodule deinit -f lib",
      "git checkout-index -f -a",
      "git read-tree -u --reset HEAD",
      "git merge-file a.ts base.ts b.ts",
      "git mv -f a.ts b.ts",
      "git rm -f a.ts",
      "git update-index --assume-unchanged a.ts",
      "git update-index --skip-worktree a.ts",
      "for v in status clean; do git $v -f; done",
    ];
    expect(await decisions(commands)).toEqual(all(commands, "ask"));
    const harmless = [
      "git switch -c feat",
      "git symbolic-ref --short HEAD",
      "git tag v1",
      "git reflog",
      "git gc",
      "git worktree add w",
      "git checkout-index a.ts",
      "git merge-file -p a.ts base.ts b.ts",
      "git mv a.ts b.ts",
      "git update-index --refresh",
      "git rebase --onto main a b",
    ];
    expect(await decisions(harmless)).toEqual(all(harmless, "allow"));
  });

  it("lets files be removed that git has stored, and those in the session's own /tmp", async () => {
    const kept = ["/repo/src/a.ts", "/repo/old"];
    const asked = async (command: string) => (await decision(command, {}, kept)).decision;
    expect(
      await Promise.all(["rm src/a.ts", "rm -rf old", "cd old && rm -f ../src/a.ts", "rm -rf src", "rm src/a.ts b.ts"].map(asked)),
    ).toEqual(["allow", "allow", "allow", "ask", "ask"]);
    expect(await decision("rm src/b.ts")).toMatchObject({
      decision: "ask",
      reason: "Git does not have the current content of src/b.ts, which would be lost",
    });
  });

  it("rules that deny or ask win, and in the mode plan only what leaves a read-only sandbox is denied or asked about", async () => {
    const commands = ["make x", "npm run deploy"];
    expect(await decisions(commands, { deny: ["Bash(make:*)"], ask: ["Bash(npm run deploy)"] })).toEqual([
      ["make x", "deny"],
      ["npm run deploy", "ask"],
    ]);
    const planned = [
      "make x",
      "touch a > b",
      "rm -r src; git stash",
      "git st",
      "cp a .envrc",
      "npm install",
      "git push",
      "cat ../other/a.txt",
    ];
    expect((await decisions(planned, { mode: "plan" })).map(([, decision]) => decision)).toEqual([
      "allow",
      "allow",
      "allow",
      "allow",
      "ask",
      "deny",
      "deny",
      "ask",
    ]);
  });

  it.each<Partial<PolicyOrder>>([
    { sandbox: { kind: "lost", why: "it is gone" } },
    { sandbox: { kind: "missing", why: "it is gone" } },
    { sandbox: { kind: "off" } },
    { network: true },
    { openSockets: true },
    { autoAllow: false },
    { home: "/repo", autoAllow: true },
    { home: "/repo/home/me" },
    { directories: ["/home"] },
  ])("does not hold with %j", async (order) => expect((await decision("make x", order)).decision).toBe("ask"));

  it("masks files that contain secrets, unless a rule of the user opens them", async () => {
    const standing = async (order: Partial<PolicyOrder>) => {
      const policy = await policyOf(order);
      return [".env", "keys/server.pem", ".env.example"].map(
        (name) => pathClasses(policy)({ path: `/repo/${name}`, kind: "file" })?.visibility,
      );
    };
    expect(await standing({})).toEqual(["hidden", "hidden", undefined]);
    expect(await standing({ allow: ["Read(.env)"] })).toEqual([undefined, "hidden", undefined]);
    expect(await standing({ autoAllow: false })).toEqual([undefined, undefined, undefined]);
  });
});
