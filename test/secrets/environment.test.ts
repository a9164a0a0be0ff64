import { expect, it } from "vitest";
import { commandEnvironment, isHeldBack } from "../../src/secrets/environment.ts";

it.each([
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "OPENAI_API_KEY",
  "OPENAI_KEY",
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "NPM_TOKEN",
  "VAULTTOKEN",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SESSION_TOKEN",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "DB_PASSWORD",
  "PGPASSWORD",
  "MYSQL_PWD",
  "SSHPASS",
  "MYSQL_PWD_PASS",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "SIGNING_KEY",
  "APP_KEY",
  "SENTRY_DSN",
  "SLACK_WEBHOOK_URL",
  "AZURE_STORAGE_CONNECTION_STRING",
  "my_secret",
  "npm_config_//registry.example/:_authToken",
  "SECRET_KEY_BASE",
  "GITHUB_PAT",
  "NPM_CONFIG__AUTH",
  "SSH_AUTH_SOCK",
  "DBUS_SESSION_BUS_ADDRESS",
  "VSCODE_IPC_HOOK_CLI",
  "BASH_ENV",
  "OLDPWD",
  "ENV",
  "PROMPT_COMMAND",
  "BASH_FUNC_ls%%",
  "LD_PRELOAD",
  "DYLD_INSERT_LIBRARIES",
  "GIT_SSH_COMMAND",
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_VALUE_0",
  "GIT_DIR",
  "PERL5OPT",
  "PYTHONSTARTUP",
])("%s is withheld from commands", (name) => {
  expect(isHeldBack(name, "x")).toBe(true);
});

it.each([
  "PATH",
  "HOME",
  "PWD",
  "LANG",
  "LC_ALL",
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "NODE_ENV",
  "DATABASE_URL",
  "AWS_PROFILE",
  "AWS_REGION",
  "HTTP_PROXY",
  "VIRTUAL_ENV",
  "LD_LIBRARY_PATH",
  "GIT_AUTHOR_NAME",
  "TOKENIZERS_PARALLELISM",
  "KEYBOARD",
  "COREPACK_INTEGRITY_KEYS",
  "COMPASS",
  "PASSENGER",
  "XDG_DATA_DIRS",
  "TOOL_EXPERIMENTAL_AGENT_TEAMS",
  "npm_config_registry",
])("%s is passed on", (name) => {
  expect(isHeldBack(name, "http://localhost:5432/x")).toBe(false);
});

it.each([
  ["DATABASE_URL", "postgres://me:pw@localhost/db"],
  ["REDIS_URL", "redis://:pw@localhost:6379"],
  ["HTTP_PROXY", "http://me:pw@proxy.example:3128"],
  ["DB", "Server=x;User=y;Password=abcd1234;"],
  ["DEPLOY", `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----\nabc`],
  ["MY_VARIABLE", `ghp_${"a1".repeat(18)}`],
  ["MY_VARIABLE", `AKIA${"A1".repeat(8)}`],
  ["MY_VARIABLE", `sk_live_${"a1".repeat(12)}`],
  ["MY_VARIABLE", `eyJ${"a".repeat(20)}.eyJ${"b".repeat(20)}.x`],
  ["NODE_OPTIONS", "--require /home/me/hook.js"],
  ["NODE_OPTIONS", "--max-old-space-size=4096 --import ./x.mjs"],
])("%s is withheld from commands for its value %s", (name, value) => {
  expect(isHeldBack(name, value)).toBe(true);
});

it.each([
  ["DATABASE_URL", "postgres://localhost/db"],
  ["DATABASE_URL", "postgres://me@localhost/db"],
  ["LS_COLORS", "rs=0:di=01;34:ln=01;36"],
  ["NODE_OPTIONS", "--max-old-space-size=4096"],
  ["PATH", "/usr/bin:/home/me@work/bin"],
])("%s is passed on with its value %s", (name, value) => {
  expect(isHeldBack(name, value)).toBe(false);
});

it("passes the variables that settings name", () => {
  const env = { SSH_AUTH_SOCK: "/run/agent", NPM_TOKEN: "t", GH_TOKEN: "g" };
  const { SSH_AUTH_SOCK, NPM_TOKEN, GH_TOKEN } = commandEnvironment(env, "s1:ada", ["SSH_AUTH_SOCK", "NPM_TOKEN"]);
  expect({ SSH_AUTH_SOCK, NPM_TOKEN, GH_TOKEN }).toEqual({ SSH_AUTH_SOCK: "/run/agent", NPM_TOKEN: "t", GH_TOKEN: undefined });
});

it("marks the owner, never prompts and reaches no pane", () => {
  const env = {
    PATH: "/bin",
    UNSET: undefined,
    TMUX: "/tmp/s,1,0",
    TMUX_PANE: "%1",
    FORCE_COLOR: "1",
    PAGER: "less",
    TOOL_OWNER: "old:lead",
    X_TOKEN: "t",
  };
  expect(commandEnvironment(env, "s1:ada")).toEqual({
    PATH: "/bin",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_PAGER: "cat",
    PAGER: "cat",
    NO_COLOR: "1",
    TERM: "dumb",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "safe.bareRepository",
    GIT_CONFIG_VALUE_0: "explicit",
    TOOL_OWNER: "s1:ada",
  });
});

it("adds to the git settings that the user lets through", () => {
  const own = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.quotePath", GIT_CONFIG_VALUE_0: "false" };
  const { TOOL_OWNER: _, ...env } = commandEnvironment(own, "s1:ada", Object.keys(own));
  expect(Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("GIT_CONFIG_")))).toEqual({
    ...own,
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_1: "safe.bareRepository",
    GIT_CONFIG_VALUE_1: "explicit",
  });
});
