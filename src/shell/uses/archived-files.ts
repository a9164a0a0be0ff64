// The files that one tar command names: its archive, the files that it packs, and what its options name.
import type { Word } from "../words/analysis.ts";
import { literal } from "../words/literal.ts";
import { type Option, readOptions } from "../words/options.ts";
import type { Use } from "./named-files.ts";

/** The archive and the folder of `-C` are written or read, depending on what the command does. */
export function archivedFiles(words: Word[]): Use[] {
  const spelled = withDashes(words);
  const { given, operands } = readOptions(spelled, options);
  const has = (wanted: RegExp) => given.some(({ name }) => wanted.test(name));
  const extracts = has(/^(?:-x|--extract|--get)$/);
  const creates = has(/^(?:-[cruA]|--create|--append|--update|--catenate|--concatenate)$/);
  const named = given.flatMap((option) => usesOf(option, { extracts, creates }));
  const packed = creates ? operands.flatMap((at) => [spelled[at]!, ...insideArchive(spelled[at]!)]) : [];
  return [...named, ...packed.map((word) => ({ word, access: "read", recursive: true }) as const)];
}

function usesOf({ name, value }: Option, { extracts, creates }: { extracts: boolean; creates: boolean }): Use[] {
  if (!value) return [];
  if (name === "-f" || name === "--file")
    return [creates ? { word: value, access: "write", purpose: true } : { word: value, access: "read" }];
  if (name === "-C" || name === "--directory" || name === "--cd") return [{ word: value, access: extracts ? "write" : "read" }];
  const access = others.get(name);
  return access ? [{ word: value, access }] : [];
}

const others = new Map<string, Use["access"]>([
  ...["-T", "-X", "--files-from", "--exclude-from", "--add-file", "--owner-map", "--group-map"].map((name) => [name, "read"] as const),
  ...["-g", "--listed-incremental", "--index-file", "--volno-file"].map((name) => [name, "write"] as const),
]);

const options = [
  "-f: --file= -C: --directory= --cd= -T: --files-from= -X: --exclude-from= --add-file= --owner-map= --group-map= -g: --listed-incremental=",
  "--index-file= --volno-file= -b: --blocking-factor= -F: --info-script= --new-volume-script= -H: --format= -I: --use-compress-program= -K:",
  "--starting-file= -L: --tape-length= -N: --newer= --after-date= --newer-mtime= -V: --label= --exclude= --exclude-ignore= --exclude-tag=",
  "--exclude-tag-all= --exclude-tag-under= --strip-components= --transform= --xform= --to-command= --owner= --group= --mode= --mtime= --sort=",
  "--checkpoint? --checkpoint-action= --one-top-level? --backup? --suffix= --rsh-command= --rmt-command= --record-size= --totals?",
  "-c --create -r --append -u --update -A --catenate --concatenate -x --extract --get -t --list -d --diff --compare --delete",
].join(" ");

/** In `tar czf out.tgz -C src .` the first word is a group of letters without a dash, and their values are the next words, in order. */
function withDashes([tar, bundle, ...rest]: Word[]): Word[] {
  if (!tar || !bundle || !/^[A-Za-z]+$/.test(bundle.value ?? "")) return [tar, bundle, ...rest].filter((word) => word !== undefined);
  const values = [...rest];
  const letters = bundle
    .value!.split("")
    .flatMap((letter) => [literal(`-${letter}`), ...(takesValue.has(letter) ? values.splice(0, 1) : [])]);
  return [tar, ...letters, ...values];
}

const takesValue = new Set("fCTXgbFHIKLNV");

/** Where tar is bsdtar, `@old.tar` adds the files of another archive. */
const insideArchive = ({ value = "" }: Word) => (value.startsWith("@") ? [literal(value.slice(1))] : []);
