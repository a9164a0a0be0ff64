import { expect, it } from "vitest";
import { testCommand } from "../../../src/agent/evidence/test-commands.ts";

it.each([
  "npm test",
  "npm t",
  "npm run test:unit -- --watch=false",
  "pnpm run e2e",
  "yarn test src/a.test.ts",
  "npx vitest run test/a.test.ts",
  "npx --yes jest",
  "npm exec -- vitest run",
  "node --test",
  "node --import tsx --test test/*.ts",
  "node test/format.test.js",
  "python3 -m pytest -q",
  "python -m unittest discover",
  "python test_dates.py",
  "uv run pytest",
  "cargo test --workspace",
  "cargo +nightly nextest run",
  "go test ./...",
  "make check",
  "make -j4 test",
  "./gradlew :app:test",
  "mvn -q test",
  "dotnet test",
  "bundle exec rspec",
  "scripts/test.sh",
  "bash scripts/run-tests.sh --fast",
  "./test.sh",
  "CI=1 npm test",
  "env CI=1 timeout 60 npm test",
  "cd packages/a && npm test",
  "npm test 2>&1",
  "npm test > out.txt 2>&1",
  "sh -c 'cd a && npm test'",
  "npm ci\nnpm test",
  "(cd a; npm test)",
])("knows that %j runs tests, and that its exit code is theirs", (command) => {
  expect(testCommand(command)).toEqual({ exitCode: "decides" });
});

it.each([
  ["npm test && npm run lint", "success"],
  ["npm test | tail -5", "no"],
  ["npm test || true", "no"],
  ["npm test; echo done", "no"],
  ["npm test\necho $?", "no"],
  ["npm test &", "no"],
  ["bash -c 'npm test | tail -3'", "no"],
  ["set -o pipefail; npm test | tail -5", "decides"],
  ["npm run build && npm test", "decides"],
])("reads how much the exit code of %j says: %s", (command, exitCode) => {
  expect(testCommand(command)).toEqual({ exitCode });
});

it.each([
  "npm run build",
  "npm install vitest",
  "echo npm test",
  "git commit -m 'npm test passes'",
  "grep -rn 'npm test' .",
  "cat > run.sh <<'EOF'\nnpm test\nEOF",
  "# npm test",
  "ls test",
  "cat test/a.test.ts",
  "npx vitest --version",
  "pytest --collect-only",
  "cargo test --no-run",
  "npm run check-types",
  "cargo build",
  "rm -rf test/tmp",
  "",
])("sees no test in %j", (command) => {
  expect(testCommand(command)).toBeUndefined();
});
