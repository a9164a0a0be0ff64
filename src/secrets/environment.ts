// The environment of commands, hooks and servers: the user's own, without secrets, variables that make programs run something, and anything
// that would wait for the user.

/** `keep`: names that settings pass on anyway. `owner`: `<session>:<agent>`, which identifies processes that a command leaves running. */
export function commandEnvironment(env: Record<string, string | undefined>, owner: string, keep: string[] = []): Record<string, string> {
  const passed = passedOn(env, (name, value) => !terminalNames.includes(name) && (keep.includes(name) || !isHeldBack(name, value)));
  // A bare repository hidden in the working tree as plain files could otherwise configure programs for git to run.
  return withGitSetting({ ...passed, ...quiet, TOOL_OWNER: owner }, { key: "safe.bareRepository", value: "explicit" });
}

/** For programs that the user has configured: keeps what they need to find their terminal, and leaves out secrets and an agent's marker. */
export function personsEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  return passedOn(env, (name, value) => name !== "TOOL_OWNER" && !isHeldBack(name, value));
}

/** For MCP servers: what a program needs to find others, its user and the network; the rest is for their entries to name. */
export function serverEnvironment(env: Record<string, string | undefined>): Record<string, string> {
  return passedOn(env, (name, value) => (serverNames.has(name) || name.startsWith("LC_")) && !isSecretValue(value));
}

function passedOn(env: Record<string, string | undefined>, passes: (name: string, value: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0], entry[1])),
  );
}

const serverNames = new Set([
  ..."PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy".split(" "),
  ..."NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR".split(" "),
]);

/** `hidden`: a file that lists what rules hide. */
type CommitHooks = { folder: string; node: string; hidden: string };

/** Gives every git that a command starts our hooks, which scan commits and then run the repository's own; `node` runs their scanner. */
export function withCommitHooks(env: Record<string, string>, { folder, node, hidden }: CommitHooks): Record<string, string> {
  return { ...withGitSetting(env, { key: "core.hooksPath", value: folder }), TOOL_NODE: node, TOOL_HIDDEN: hidden };
}

/** Gives every git that a command starts this attributes file instead of the user's own. */
export const withAttributes = (env: Record<string, string>, file: string) =>
  withGitSetting(withGitSetting(env, { key: "core.attributesFile", value: file }), { key: "diff.unset.binary", value: "true" }); // `diff=unset`

type GitSetting = { key: string; value: string };

const withGitSetting = (env: Record<string, string>, setting: GitSetting) => ({ ...env, ...gitVariables(env, [setting]) });

/** git-config(1): `GIT_CONFIG_COUNT` and its pairs, to be added to `env`. Settings that the user passes this way come first. */
export function gitVariables(env: Record<string, string>, settings: GitSetting[]): Record<string, string> {
  const count = /^\d+$/.test(env["GIT_CONFIG_COUNT"] ?? "") ? Number(env["GIT_CONFIG_COUNT"]) : 0;
  const pairs = settings.flatMap(({ key, value }, at) => [
    [`GIT_CONFIG_KEY_${count + at}`, key],
    [`GIT_CONFIG_VALUE_${count + at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(count + settings.length), ...Object.fromEntries(pairs) };
}

/** Whether a variable is withheld from commands unless settings name it. */
export function isHeldBack(name: string, value: string): boolean {
  return isSecretName(name) || isSecretValue(value) || isRight(name) || runsSomething(name, value);
}

/** Names of provider settings, keys, tokens and passwords. */
function isSecretName(name: string): boolean {
  const words = name.toUpperCase().split(/[^A-Z0-9]+/);
  const pairs = words.map((word, index) => `${words[index - 1] ?? ""} ${word}`);
  return (
    words[0] === "ANTHROPIC" ||
    lastWords.has(words.at(-1) ?? "") ||
    (words.length > 1 && words.includes("PWD")) ||
    words.some((word) => secretWords.has(word) || /(TOKEN|SECRET|PASSWORD|PASSWD|APIKEY)$/.test(word)) ||
    pairs.some((pair) => secretPairs.has(pair))
  );
}

const lastWords = new Set("AUTH KEY DSN PASS JWT COOKIE SALT PIN".split(" "));
const secretWords = new Set(
  "TOKENS SECRETS PASSWORDS PASSPHRASE PASS SSHPASS CREDENTIAL CREDENTIALS PAT AUTHORIZATION BEARER WEBHOOK".split(" "),
);
const secretPairs = new Set(
  // AUTH CONFIG: DOCKER_AUTH_CONFIG of GitLab
  "API KEY,API KEYS,ACCESS KEY,PRIVATE KEY,SECRET KEY,SIGNING KEY,ENCRYPTION KEY,AUTH KEY,CONNECTION STRING,AUTH CONFIG".split(","),
);

/** A password inside an address, or text in the published format of a key, whatever the variable's name. */
function isSecretValue(value: string): boolean {
  return secretForms.some((form) => form.test(value));
}

const secretForms = [
  /[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:[^\s/@]+@/i,
  /\b(?:password|passwd|pwd|accountkey|sharedaccesskey)=[^;\s]{4,}/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|npm_\w{30,}|(?:AKIA|ASIA)[A-Z0-9]{16})\b/,
  /\b(?:sk|rk|pk)[-_](?:[a-z]+[-_])?[\w-]{20,}/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\./,
];

/**
 * Sockets grant rights: access to the ssh agent allows signing in as the user, and access to the session bus or an editor allows starting
 * programs outside any sandbox.
 */
function isRight(name: string): boolean {
  return rights.has(name) || name.startsWith("VSCODE_");
}

const rights = new Set([
  ..."SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO GNOME_KEYRING_CONTROL DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS".split(" "),
  ..."XAUTHORITY NVIM NVIM_LISTEN_ADDRESS STY".split(" "),
]);

/** Variables that make other programs run or load something. They were set for the user's own shells; a command that needs one sets it. */
function runsSomething(name: string, value: string): boolean {
  if (name === "NODE_OPTIONS") return /(^|\s)(-r|--require|--import|--(experimental-)?loader|--inspect|--env-file)/.test(value);
  return (
    name.startsWith("BASH_FUNC_") || /^GIT_CONFIG(_|$)/.test(name) || /^(LD|DYLD)_(PRELOAD|AUDIT|INSERT)/.test(name) || runners.has(name)
  );
}

const runners = new Set([
  ..."BASH_ENV ENV PROMPT_COMMAND PS4 SHELLOPTS BASHOPTS CDPATH OLDPWD GLOBIGNORE ZDOTDIR".split(" "), // bash(1), zsh(1)
  ..."GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS SSH_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR".split(" "), // git(1)
  ..."GIT_SEQUENCE_EDITOR GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR GIT_NAMESPACE".split(" "), // set within hooks
  ..."PERL5OPT PERL5DB RUBYOPT PYTHONSTARTUP PYTHONINSPECT PYTHONBREAKPOINT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS".split(" "),
  ..."LESSOPEN LESSCLOSE MANPAGER BROWSER RIPGREP_CONFIG_PATH RUSTC_WRAPPER".split(" "),
]);

/** A command must not reach the panes of people and agents, nor assume that it has a terminal. */
const terminalNames = ["TMUX", "TMUX_PANE", "FORCE_COLOR", "CLICOLOR_FORCE"];
const quiet = { GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", GIT_PAGER: "cat", PAGER: "cat", NO_COLOR: "1", TERM: "dumb" };
