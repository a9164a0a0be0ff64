import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeFolder } from "../../../src/edge/disk/remove-folder.ts";
import { failing } from "../../failing-calls.ts";
import { type Tree, tree } from "../../tools/tree.ts";

function laidOut(): Tree {
  const made = tree({ "scratch/in/deep/a": "", "scratch/in/a": "", "scratch/in/.hidden": "", "home/a": "the person's", "home/deep/a": "" });
  onTestFinished(made.remove);
  return made;
}

it("removeFolder() removes folders however deep, links, pipes and names that are not UTF-8, and nothing that is not there", () => {
  const { at } = laidOut();
  symlinkSync(at("home"), at("scratch/in/link"));
  symlinkSync(at("home"), at("link"));
  execFileSync("bash", ["-c", "mkfifo pipe; mkdir $'\\xff'; touch $'\\xff/\\xfe'; for i in {1..60}; do mkdir deep; cd deep; done"], {
    cwd: at("scratch"),
  });
  for (const name of ["scratch", "link", "nothing"]) removeFolder(at(name));
  expect([existsSync(at("scratch")), existsSync(at("link")), readdirSync(at("home"))]).toEqual([false, false, ["a", "deep"]]);
});

it.skipIf(process.platform !== "linux").each(["unlinkSync", "readdirSync", "renameSync", "openSync"] as const)(
  "removeFolder() removes nothing where a link leads that takes the place of a folder before %s",
  (call) => {
    const { at } = laidOut();
    let swaps = 0;
    let isSwapping = false;
    failing(call, {
      code: "EIO",
      when: () => {
        if (isSwapping) return false;
        isSwapping = true;
        const folders = existsSync(at("scratch"))
          ? readdirSync(at("scratch"), { withFileTypes: true }).filter((entry) => entry.isDirectory())
          : [];
        for (const { name } of swaps < 3 ? folders : []) {
          const away = at(`away-${swaps++}`);
          renameSync(at(join("scratch", name)), away);
          symlinkSync(at("home"), at(join("scratch", name)));
        }
        isSwapping = false;
        return false;
      },
    });
    removeFolder(at("scratch"));
    expect([swaps > 0, existsSync(at("scratch")), readdirSync(at("home"), { recursive: true }).map(String).sort()]).toEqual([
      true,
      false,
      ["a", "deep", "deep/a"],
    ]);
  },
);
