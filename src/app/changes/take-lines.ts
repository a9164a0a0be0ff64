// How a take has ended, in lines for the person: what is there now, what to do next, and the way back.
import type { ChangeSet } from "../../changes/change-set.ts";
import type { TakeEnd } from "../../changes/take.ts";
import { wayBack } from "../../changes/taking.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { shellWord } from "../../wording/shell-word.ts";
import type { World } from "../world.ts";

/** `sets`: all that there are, so that only what can be dropped is named for that. */
type About = { world: Pick<World, "command">; root: string; sets: ChangeSet[] };

export function takeLines(end: TakeEnd, { world: { command }, root, sets }: About): string[] {
  switch (end.kind) {
    case "taken":
      return takenLines(end, { command, root, sets });
    case "conflict":
      return [
        ...(end.done.length > 0 ? [`Taken: ${end.done.join(", ")}`] : []),
        `${end.id} is in conflict here:`,
        ...end.files.map(
          ({ path, marked }) => `  ${visibleLine(path)}${marked ? "" : "  (it has your version; choose one and git add it)"}`,
        ),
        ...(end.rest.length > 0 ? [`Still to come: ${end.rest.join(", ")}`] : []),
        `Resolve these files, then: ${command} take --continue`,
        `To undo the take: ${command} take --abort`,
      ];
    case "undone":
      return [`The take is undone: the files and the branch are as they were, at ${end.start.slice(0, 12)}.`];
    case "refused":
      return [`${end.reason.replaceAll(/\btool (?=take|drop|changes)/g, `${command} `)}.`];
  }
}

type Named = Pick<About, "root" | "sets"> & Pick<World, "command">;

function takenLines(end: Extract<TakeEnd, { kind: "taken" }>, { command, root, sets }: Named): string[] {
  const { taking, ids, nothing, tree } = end;
  const branch = taking.ref?.replace("refs/heads/", "") ?? "HEAD";
  const how = { merge: `merged into ${branch}`, commits: `as commits on ${branch}`, edits: "as edits that are not committed" }[taking.as];
  const done = sets.filter(({ id, content }) => ids.includes(id) && id in taking.whole && content.kind === "branch");
  const back = wayBack(taking, { git: `git -C ${shellWord(root)}`, tree });
  return [
    ...(ids.length > 0 ? [`Taken: ${ids.join(", ")}, ${how}.`, `To undo it: ${back}`] : []),
    ...(nothing.length > 0 ? [`Nothing new: ${nothing.join(", ")}; everything of it is here already.`] : []),
    ...(done.length > 0 ? [`To remove its branch and worktree: ${command} drop ${done.map(({ id }) => id).join(" ")}`] : []),
  ];
}
