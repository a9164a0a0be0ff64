// The environment that commands run in: the person's own, without what is worth stealing and without what would wait for a person.

/** `owner` is `<session>:<agent>`; the marker is how what a command leaves running is found again. */
export function commandEnvironment(env: Record<string, string | undefined>, owner: string): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && !isSecretName(entry[0]));
  return { ...Object.fromEntries(kept.filter(([name]) => !terminalNames.includes(name))), ...quiet, TOOL_OWNER: owner };
}

/** Names of provider settings, keys, tokens and passwords. Values are not looked at. */
export function isSecretName(name: string): boolean {
  const words = name.toUpperCase().split(/[^A-Z0-9]+/);
  const pairs = words.map((word, index) => `${words[index - 1] ?? ""} ${word}`);
  return (
    words[0] === "ANTHROPIC" ||
    words.at(-1) === "AUTH" ||
    words.some((word) => secretWords.has(word)) ||
    pairs.some((pair) => secretPairs.has(pair))
  );
}

const secretWords = new Set(
  "TOKEN TOKENS AUTHTOKEN SECRET SECRETS PASSWORD PASSWD PASSPHRASE PASS CREDENTIAL CREDENTIALS APIKEY PAT".split(" "),
);
const secretPairs = new Set([
  "API KEY",
  "API KEYS",
  "ACCESS KEY",
  "PRIVATE KEY",
  "SECRET KEY",
  "SIGNING KEY",
  "ENCRYPTION KEY",
  "AUTH KEY",
]);

/** A command must not reach the panes that people and agents sit in, nor believe that it has a terminal. */
const terminalNames = ["TMUX", "TMUX_PANE", "FORCE_COLOR", "CLICOLOR_FORCE"];
const quiet = { GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", GIT_PAGER: "cat", PAGER: "cat", NO_COLOR: "1", TERM: "dumb" };
