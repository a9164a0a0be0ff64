// What one stage of a pipeline says may be names of files to a later one that reads a list of them.
import type { SimpleCommand } from "../words/analysis.ts";
import { literal } from "../words/literal.ts";
import { placesOf, useOf } from "../words/paths.ts";
import type { State } from "../words/state.ts";
import { pathsIn } from "./mentioned-files.ts";

/** The stages are the commands from `begin` on. */
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
