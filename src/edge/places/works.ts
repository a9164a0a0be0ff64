// The folders of hands' work at a place, and the marks of those that live.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ProcessIdentity } from "../../board/disk.ts";
import type { Works } from "../../places/works.ts";
import { removeFolder } from "../disk/remove-folder.ts";
import { processes } from "../processes/processes.ts";
import { ifPossible } from "../system-error.ts";

const touchMs = 60_000;

export function worksIn(folder: string): Works {
  const at = join(folder, "work");
  const markOf = (name: string) => join(at, name, "hands.json");
  return {
    begin(name) {
      mkdirSync(join(at, name), { recursive: true, mode: 0o700 });
      const mark = JSON.stringify(processes().self());
      // Written anew, so that the disk's own clock counts.
      const touch = () => ifPossible(() => writeFileSync(markOf(name), mark, { mode: 0o600 }));
      touch();
      const timer = setInterval(touch, touchMs).unref();
      return () => clearInterval(timer);
    },
    look() {
      const [now, table] = [diskTime(folder), processes()];
      return (ifPossible(() => readdirSync(at)) ?? []).map((name) => {
        const touched = ifPossible(() => statSync(markOf(name)).mtimeMs) ?? ifPossible(() => statSync(join(at, name)).mtimeMs) ?? 0;
        const mark = ifPossible(() => JSON.parse(readFileSync(markOf(name), "utf8")) as ProcessIdentity);
        const kind = mark && table.liveness(mark).kind;
        return { name, isRunning: kind === undefined || kind === "elsewhere" ? undefined : kind === "alive", ageMs: now - touched };
      });
    },
    removeOtherPrograms(own) {
      const programs = join(folder, "program");
      const others = (ifPossible(() => readdirSync(programs)) ?? []).filter((name) => name !== basename(own));
      for (const name of others) removeFolder(join(programs, name));
      return others.length;
    },
  };
}

/** By the clock of the disk, which may be another machine's. */
function diskTime(folder: string): number {
  const file = join(folder, `.time-${process.pid}`);
  writeFileSync(file, "");
  const { mtimeMs } = statSync(file);
  rmSync(file, { force: true });
  return mtimeMs;
}
