import { expect, it } from "vitest";
import { commandEnvironment, isSecretName } from "../../src/permissions/environment.ts";

it.each([
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "OPENAI_API_KEY",
  "GITHUB_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "NPM_TOKEN",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SESSION_TOKEN",
  "DB_PASSWORD",
  "MYSQL_PWD_PASS",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "SIGNING_KEY",
  "my_secret",
  "npm_config_//registry.example/:_authToken",
  "SECRET_KEY_BASE",
  "GITHUB_PAT",
  "NPM_CONFIG__AUTH",
])("%s is kept from commands", (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  "PATH",
  "HOME",
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "SSH_AUTH_SOCK",
  "DATABASE_URL",
  "TOKENIZERS_PARALLELISM",
  "KEYBOARD",
  "COREPACK_INTEGRITY_KEYS",
  "COMPASS",
  "PASSENGER",
  "XDG_DATA_DIRS",
  "TOOL_EXPERIMENTAL_AGENT_TEAMS",
  "npm_config_registry",
])("%s is passed on", (name) => {
  expect(isSecretName(name)).toBe(false);
});

it("marks the owner, never asks anybody and reaches no pane", () => {
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
    TOOL_OWNER: "s1:ada",
  });
});
