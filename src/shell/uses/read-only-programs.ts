// Programs that only read. Exceptions are in other tables: dangerous options among the hazards, and written files among the file operands.
import { lookingInGit } from "../tables/git-subcommands.ts";
import type { Invocation } from "../words/invocation.ts";

export function isKnownReadOnly({ program, words, sub, verb: name }: Invocation): boolean {
  if (isLooking(program)) return true;
  if (words.length === 2 && /^(--version|-V|--help)$/.test(words[1]?.value ?? "")) return versioned.has(program);
  if (name === undefined || !lookingSubcommands[program]?.includes(name)) return false;
  const rest = words.slice(sub! + 1).map(({ value }) => value);
  if (program === "git" && (name === "branch" || name === "tag" || name === "remote" || name === "stash" || name === "worktree"))
    return rest.length === 0
      ? name !== "stash"
      : rest.every(
          (value) =>
            value !== undefined &&
            /^(-a|-r|-v|-vv|-l|--list|--all|--remotes|--show-current|--merged|--no-merged|--contains|--sort=.*|--format=.*|list|show|-n\d*|get-url)$/.test(
              value,
            ),
        );
  return true;
}

export const isLooking = (program: string) => looking.has(program);

const looking = new Set(
  "ls dir vdir cat tac head tail less more nl od xxd hexdump hd strings file wc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum base64 base32 sort uniq cut paste join comm fold fmt pr expand unexpand tr rev column tsort diff cmp diff3 grep egrep fgrep zgrep rg ag ack find fd fdfind tree eza exa du df stat readlink realpath basename dirname pwd echo printf true false test [ : cd seq expr date uname whoami id groups hostname uptime free nproc arch getconf locale which whereis type command ps pgrep pidof jq sed awk gawk mawk zcat bzcat xzcat numfmt factor cal sleep printenv tput lscpu lsblk lsof vmstat iostat env timeout nice nohup time xargs".split(
    " ",
  ),
);

const versioned = new Set(
  "node npm npx yarn pnpm bun deno python python3 pip pip3 ruby gem go cargo rustc rustup java javac gcc g++ clang make cmake git docker kubectl gh tsc eslint prettier jest vitest bash".split(
    " ",
  ),
);

const lookingSubcommands: Record<string, string[]> = {
  git: [...lookingInGit, "reflog", "branch", "tag", "remote", "stash", "worktree", "help", "var", "verify-commit"],
  npm: "ls list ll view info show outdated why explain root prefix bin help search".split(" "),
  yarn: "list info why outdated".split(" "),
  pnpm: "list ls why outdated".split(" "),
  cargo: "tree metadata search version".split(" "),
  go: "list version doc vet".split(" "),
  pip: "list show freeze check".split(" "),
  pip3: "list show freeze check".split(" "),
  docker: "ps images version info logs inspect top stats port".split(" "),
  kubectl: "get describe logs version explain api-resources top".split(" "),
  gh: "status".split(" "),
  systemctl: "status show list-units is-active is-enabled".split(" "),
};
