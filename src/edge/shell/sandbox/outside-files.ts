// Finds the files outside the folders of an agent that rules hide from its commands.

import type { HiddenOutside } from "../../../agent/hidden-outside.ts";
import type { SandboxInputs } from "../../../agent/ports/mounts.ts";
import { existing } from "./new-entries.ts";
import { classifiedTree } from "./tree.ts";

type Places = SandboxInputs["secrets"];

/** More folders are not searched for each command: rules that begin in so large a folder count for what a command names. */
const maxFolders = 2_000;

/** Each look finds what exists then. A folder that cannot be listed is hidden whole: a command may know the names in it. */
export function outsideFiles({ starts, isHidden }: HiddenOutside): () => Places {
  const looks = starts.map((start) => {
    let known: { real: string; look: ReturnType<typeof classifiedTree> } | undefined;
    return (): Places => {
      const [place] = existing(start);
      if (!place || isHidden(start, place.path) || place.kind === "file") return place && isHidden(start, place.path) ? [place] : [];
      const real = place.path;
      if (known?.real !== real) known = { real, look: lookBelow(real, (path) => isHidden(`${start}${path.slice(real.length)}`, path)) };
      const found = known.look();
      return found.kind === "seen" ? outermost([...found.entries.map(({ path }) => path), ...found.closed].flatMap(existing)) : [];
    };
  });
  return () => looks.flatMap((look) => look());
}

function lookBelow(folder: string, isHidden: (path: string) => boolean): ReturnType<typeof classifiedTree> {
  const classOf = ({ path }: { path: string }) => (isHidden(path) ? ({ visibility: "hidden", rules: false } as const) : undefined);
  return classifiedTree([folder], { classOf, packages: true, maxFolders });
}

function outermost(places: Places): Places {
  const folders = places.filter(({ kind }) => kind === "folder").map(({ path }) => `${path}/`);
  return places.filter(({ path }) => !folders.some((folder) => path.startsWith(folder)));
}
