// Where an entry has in clear what should stand in the environment: values of variables and headers, words after a flag, parts of an address.
import type { Server } from "./server.ts";

const secretName = /token|secret|passw|api[-_]?key|credential|authorization|cookie|(?:^|[-_])(?:key|pat|auth)$/i;
const secretForm =
  /\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|(?:sk|rk|pk)[-_][\w-]{20,}|eyJ[\w-]{10,}\.eyJ)/;
const flag = /^--?[\w-]*(?:token|secret|password|api[-_]?key)$/i;
const flagWithValue = /^(--?[\w-]+)=(.+)$/s;
/** As programs that lead to a remote server take it. */
const headerWord = /^([\w-]+):\s*(.+)$/s;

const isClear = (value: string) => value.length >= 8 && !value.includes("${");

/** The places of such values within the entry. */
export function secretsInClear(server: Server): string[][] {
  if (server.kind === "stdio") return [...named("env", server.env), ...words(server.args)];
  const { clientSecret = "" } = server.oauth;
  return [
    ...(hasSecret(server.url) ? [["url"]] : []),
    ...named("headers", server.headers),
    ...(isClear(clientSecret) ? [["oauth", "clientSecret"]] : []),
  ];
}

const named = (key: string, values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .filter(([name, value]) => isClear(value) && (secretName.test(name) || secretForm.test(value)))
    .map(([name]) => [key, name]);

const words = (args: readonly string[]) =>
  args.flatMap((text, index) => (isClear(text) && isSecretWord(text, args[index - 1] ?? "") ? [["args", String(index)]] : []));

function isSecretWord(text: string, before: string): boolean {
  const [, name = "", value = ""] = flagWithValue.exec(text) ?? [];
  const [, header = ""] = headerWord.exec(text) ?? [];
  return (
    secretForm.test(text) ||
    (flag.test(name) && value !== "") ||
    (flag.test(before) && !text.startsWith("-")) ||
    (secretName.test(header) && !text.startsWith("-")) ||
    hasSecret(text)
  );
}

/** In its password, or in a value of its query. */
function hasSecret(text: string): boolean {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return false;
  const query = [...url.searchParams].some(([name, value]) => isClear(value) && (secretName.test(name) || secretForm.test(value)));
  return query || isClear(url.password);
}

/** The address without a password and the values of its query. */
export function plainAddress(text: string): string {
  const [, scheme = "", rest = ""] = /^(https?:\/\/)(?:[^/?#]*@)?(.*)$/is.exec(text) ?? [];
  return scheme === "" ? text : `${scheme}${rest}`.replaceAll(/([?&][^=&#]*=)[^&#]+/g, "$1…");
}
