// Output of one stage of a pipeline that a later stage reads as a list of file names.
import type { SimpleCommand } from "../words/analysis.ts";
import { literal } from "../words/literal.ts";
import { placesOf, useOf } from "../words/paths.ts";
import type { State } from "../words/state.ts";
import { pathsIn } from "./mentioned-files.ts";

/** `begin` is the index of the first stage. */
export function addEchoedPaths(commands: SimpleCommand[], begin: number, { folders }: State): void {
  if (!commands.slice(begin).some(({ words }) => readers.has(words[0]?.value ?? ""))) return;
  for (let at = begin; at < commands.length; at++) {
    const one = commands[at]!;
    if (!speakers.has(one.words[0]?.value ?? "")) continue;
    const paths = one.words.flatMap(({ value }) => [...pathsIn(value ?? "")]);
    const places = paths.flatMap((path) => placesOf(literal(path), folders));
    if (places.length === 0) continue;
    const files = places.map((place) => useOf(place, { access: "read", mention: "possible" }));
    commands[at] = { ...one, files: [...one.files, ...files] };
  }
}

const speakers = new Set(["echo", "printf"]);
const readers = new Set(["xargs", "parallel", "cpio", "pax", "tar", "rsync", "read", "zip"]);
