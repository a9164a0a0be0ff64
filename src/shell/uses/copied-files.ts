// Files that become reachable under another name: copies, moves and links.
import type { Word } from "../words/analysis.ts";
import { literal } from "../words/literal.ts";
import type { Use } from "./named-files.ts";

/** A link makes the file writable under its other name. */
export const throughLink = ({ word }: Use): Use[] => [
  { word, access: "read" },
  { word, access: "write", mention: "possible" },
];

/** The target of a symbolic link is relative to the folder of the link: next to the last operand, or inside it. */
export function linked(places: Word[]): Use[] {
  const target = places.length > 1 ? places.at(-1)! : literal(".");
  return places.slice(0, places.length > 1 ? -1 : undefined).flatMap((source): Use[] => {
    if (source.value === undefined || target.value === undefined || source.home) return [{ word: source, access: "read" }];
    if (source.value.startsWith("/")) return [{ word: source, access: "read" }];
    const beside = target.value.includes("/") ? target.value.replace(/\/[^/]*\/*$/, "") || "/" : ".";
    return [beside, target.value].map((folder) => ({
      word: atHome(`${folder}/${source.value}`, target.home),
      access: "read",
    }));
  });
}

/** `cp a/.envrc .` creates `./.envrc`: the last operand may be a folder. */
export function intoFolder(places: Word[], target: Word | undefined): Use[] {
  const folder = target ?? (places.length > 1 ? places.at(-1) : undefined);
  if (folder?.value === undefined) return [];
  return (target ? places : places.slice(0, -1)).flatMap(({ choices }): Use[] =>
    (choices ?? []).map((source) => {
      const value = `${folder.value}/${source.replace(/\/+$/, "").split("/").at(-1)}`;
      return {
        word: atHome(value, folder.home),
        access: "write",
        purpose: true,
      };
    }),
  );
}

function atHome(value: string, home: boolean | undefined): Word {
  const word = literal(value);
  word.home = home;
  return word;
}
