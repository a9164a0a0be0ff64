import { describe, expect, it } from "vitest";
import { naturalRules, widerRule } from "../../../src/shell/uses/natural-rules.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const first = (text: string) => analyseCommand(text).commands[0]!;

describe("naturalRules()", () => {
  it.each([
    ["npm test -- --watch", ["npm test *"]],
    ["npm run build -- --mode x", ["npm run build *"]],
    ["npm --silent run lint", ["npm run lint *", "npm --silent run lint *"]],
    ["git commit -m x", ["git commit *"]],
    ["git -C sub commit -m x", ["git commit *", "git -C sub commit *"]],
    ["git push origin main", ["git push origin *"]],
    ["gh pr view 3", ["gh pr view *"]],
    ["docker compose logs", ["docker compose logs *"]],
    ["make test", ["make test *"]],
    ["make -C lib -j4 test", ["make test *", "make -C lib -j4 test *"]],
    ["just build", ["just build *"]],
    ["pytest -q tests", ["pytest *"]],
    ["python -m pytest -q", ["python -m pytest *"]],
    ["python3 scripts/gen.py x", ["python3 scripts/gen.py *"]],
    ["python3 -c 'print(1)'", ["python3 -c *"]],
    ["node scripts/a.js", ["node scripts/a.js *"]],
    ["node -e 1", ["node -e *"]],
    ["npx vitest run", ["npx vitest *"]],
    ["pnpm exec eslint .", ["pnpm exec eslint *"]],
    ["uv run pytest", ["uv run pytest *"]],
    ["poetry run mypy .", ["poetry run mypy *"]],
    ["cargo test x", ["cargo test *"]],
    ["go test ./...", ["go test *"]],
    ["cargo run --bin x", ["cargo run *"]],
    ["./scripts/check.sh a", ["./scripts/check.sh *"]],
    ["/usr/bin/pytest", ["/usr/bin/pytest *"]],
    ["mkdir -p a", ["mkdir *"]],
    ["cp a b", ["cp *"]],
    ["ls -la", ["ls *"]],
    ["mvn -q test", ["mvn test *", "mvn -q test *"]],
    ["gradle build", ["gradle build *"]],
    ["curl http://localhost:3000/a", ["curl http://localhost:3000/*"]],
    ["kubectl get pods", ["kubectl get *"]],
    ["sed -i s/a/b/ f", ["sed *"]],
    ["turbo run build", ["turbo run build *"]],
    ["dotnet build", ["dotnet build *"]],
    ["bun test", ["bun test *"]],
  ])("of %j are %j", (text, rules) => {
    expect(naturalRules(first(text))).toEqual(rules);
  });

  it.each([
    "npm install left-pad",
    "git push --force",
    "git rebase -i HEAD~2",
    "gh pr merge 3",
    "docker compose up",
    "make CC=x",
    "python -m http.server",
    "npx left-pad",
    "cargo publish",
    "go run .",
    "../x.sh",
    "rm -rf build",
    "npm --version",
    "curl https://example.com",
    "bash <<EOF\nls\nEOF",
    "bash -c ls",
    "$x y",
    "find . -delete",
    "yarn workspace a test",
    "deno task x",
  ])("has none for %j, where other words may do something else", (text) => {
    expect(naturalRules(first(text))).toEqual([]);
  });
});

describe("widerRule()", () => {
  it.each([
    ["npm install left-pad", ["npm install *"]],
    ["yarn workspace a test", ["yarn workspace *"]],
    ["npm test", []],
    ["npm exec x", []],
    ["npm run build", []],
    ["git push --force", []],
    ["ls src", []],
  ])("of %j is %j", (text, rules) => {
    expect(widerRule(first(text))).toEqual(rules);
  });
});
