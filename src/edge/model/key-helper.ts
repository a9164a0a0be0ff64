// A program of the user that prints the provider's key (`apiKeyHelper` in the settings): run without a shell, with a time limit, and again
// if its key is refused.
import { run } from "../processes/run.ts";

export type HelpersKey = { ok: true; key: string } | { ok: false; reason: string };

export interface KeyHelper {
  /** The first call runs the program. */
  key(): Promise<HelpersKey>;
  /** Returns the same key again if the program has no other. */
  renew(refused: string): Promise<HelpersKey>;
}

const timeoutMs = 10_000;
const longestKey = 16_384;

export function keyHelper(command: string, env: Record<string, string | undefined>): KeyHelper {
  let known: Promise<HelpersKey> | undefined;
  const ask = () => {
    const asked = printedBy(command, env).then((found) => {
      if (!found.ok && known === asked) known = undefined;
      return found;
    });
    known = asked;
    return asked;
  };
  return {
    key: () => known ?? ask(),
    async renew(refused) {
      const current = await (known ?? ask());
      return current.ok && current.key !== refused ? current : ask();
    },
  };
}

/** One sentence if the setting is not a command that can run without a shell. */
export function helperProblem(command: string): string | undefined {
  const words = wordsOf(command);
  return words.ok ? undefined : `Cannot use "apiKeyHelper" of the settings: ${words.reason}.`;
}

async function printedBy(command: string, env: Record<string, string | undefined>): Promise<HelpersKey> {
  const words = wordsOf(command);
  const failed = (why: string): HelpersKey => ({ ok: false, reason: `No key from the settings' "apiKeyHelper": ${why}.` });
  if (!words.ok) return failed(words.reason);
  const [program = "", ...args] = words.words;
  const home = env["HOME"] ?? "";
  const path = program.startsWith("~/") ? `${home}/${program.slice(2)}` : program;
  const set = Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const ended = await run([path, ...args], { env: set, extendEnv: false, timeoutMs, maxOutput: longestKey });
  if (ended.failed) return failed(ended.failed);
  if (ended.timedOut) return failed(`${program} did not end within ${timeoutMs / 1000} s`);
  if (ended.code !== 0)
    return failed(
      `${program} ended with ${ended.code === null ? `signal ${ended.signal}` : `exit code ${ended.code}`}${saying(ended.stderr)}`,
    );
  const key = ended.stdout.trim();
  if (!/^[\x21-\x7e]+$/.test(key)) return failed(`${program} printed ${key === "" ? "nothing" : "something that is not a key"}`);
  return { ok: true, key };
}

/** What it says about its error, without words that could be a key. */
function saying(stderr: string): string {
  const line = stderr
    .trim()
    .split("\n", 1)[0]
    ?.slice(0, 200)
    .replaceAll(/[\w+/=-]{16,}/g, (word) => (/\d/.test(word) ? "…" : word));
  return line ? `: ${line}` : "";
}

type Words = { ok: true; words: string[] } | { ok: false; reason: string };

/** Splits a command at spaces, with quotes around words that contain spaces. Shell syntax is refused. */
function wordsOf(command: string): Words {
  const words: string[] = [];
  let rest = command.trim();
  while (rest !== "") {
    const [word] = /^(?:[^\s'"\\$`|&;<>()*?]|'[^']*'|"[^"\\$`]*")+/.exec(rest) ?? [""];
    const next = rest.slice(word.length);
    if (word === "" || (next !== "" && !/^\s/.test(next)))
      return { ok: false, reason: `"${next.slice(0, 1)}" in it is for a shell, and it is run without one: put the command into a script` };
    words.push(word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ""));
    rest = next.trimStart();
  }
  return words.length > 0 ? { ok: true, words } : { ok: false, reason: "it is empty" };
}
