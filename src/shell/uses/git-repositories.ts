// Other repositories that a git command talks to: one that is not configured as a remote needs a question.
import type { OtherRepository, Word } from "../words/analysis.ts";
import type { Invocation } from "../words/invocation.ts";
import { readOptions } from "../words/options.ts";

export function otherRepositories({ program, words, sub, verb = "" }: Invocation): OtherRepository[] {
  const line = program === "git" && sub !== undefined ? talking.get(verb) : undefined;
  if (line === undefined) return [];
  const { operands, given } = readOptions(words, line, { from: sub! + 1 });
  const has = (...names: string[]) => given.some(({ name }) => names.includes(name));
  const named = operands.slice(verb === "remote" ? 1 : 0);
  if (verb === "remote" && !/^(?:show|prune)$/.test(words[operands[0] ?? -1]?.value ?? "show")) return [];
  const first = verb === "remote" || has("--multiple") ? named : named.slice(0, 1);
  const elsewhere = named.filter((at) => verb !== "clone" && isAddress(words[at]!));
  const option = given.flatMap(({ name, value }) => (name === "--repo" && value ? words.length : []));
  return [...new Set([...first, ...elsewhere, ...option])].map((at) => ({
    at,
    option: false,
    does: `git ${verb} talks to a repository that is not configured here`,
    ...(verb !== "clone" && words[at]?.value !== undefined && { repository: words[at].value }),
  }));
}

/** `configured`: names and addresses of the remotes; undefined if they were not read, and then any name counts as configured. */
export function isConfigured({ repository }: OtherRepository, configured: ReadonlySet<string> | undefined): boolean {
  if (repository === undefined) return false;
  return repository === "." || (configured?.has(repository) ?? /^\w[\w.-]*$/.test(repository));
}

/** An address or path rather than the name of a remote: no branch can have such a name. */
const isAddress = ({ value, start }: Word) => /:\/\/|::|^[/~]|^\.\.?\/|^[^/]*@[^/]*:/.test(value ?? start);

/** Subcommands that fetch, with those of their options that take a value. */
const fetching =
  "--depth= --deepen= --shallow-since= --shallow-exclude= -j: --jobs= --refmap= -o: --server-option= --negotiation-tip= --filter= --upload-pack=";
const talking = new Map(
  Object.entries({
    push: "-o: --push-option= --repo= --exec= --receive-pack=",
    fetch: fetching,
    pull: `${fetching} -s: --strategy= -X: --strategy-option= --cleanup=`,
    "ls-remote": "--upload-pack= --exec= -o: --server-option= --sort=",
    clone: `${fetching} -b: --branch= --origin= -c: --config= --reference= --reference-if-able= --template= --separate-git-dir= -u: --bundle-uri=`,
    remote: "",
  }),
);
