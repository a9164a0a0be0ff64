// What a shell gets at a TAB, of teams on a real disk.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { World } from "../../src/app/world.ts";
import { completeCommand } from "../../src/cli/complete.ts";
import { ports, temporaryTeam } from "../board/temporary-team.ts";
import { scratchFolder } from "../scratch.ts";
import { programTree } from "./program-tree.ts";

it("complete offers every team after --team, and after --resume those that can be resumed", async () => {
  const configDir = scratchFolder();
  using team = temporaryTeam();
  await team.board.changeRecord((record) => ({
    ...record,
    cwd: configDir,
    members: record.members.map((member) => (member.role === "lead" ? { ...member, session: "s-lead" } : member)),
  }));
  // A team's folder that was copied under another name is a team to look at, and none to go on with.
  for (const name of ["atlas", "copied"]) cpSync(team.folder, join(configDir, "teams", name), { recursive: true });
  expect(await completed(configDir, "team", "status", "--team", "")).toBe("atlas\t\ncopied\t\n");
  expect(await completed(configDir, "team", "--resume", "")).toBe("atlas\t\n");
  expect(await completed(configDir, "team", "--resume=a")).toBe("--resume=atlas\t\n");
  expect(await completed(configDir, "team", "--resume", "c")).toBe("");
});

async function completed(configDir: string, ...words: string[]): Promise<string> {
  let printed = "";
  const edges = { disk: async () => ports.disk, lock: async () => ports.lock, clock: async () => ports.clock };
  const stdout = { write: (text: string) => (printed += text) };
  await completeCommand({ configDir, edges, stdout } as unknown as World, programTree()).parseAsync(["--", ...words], { from: "user" });
  return printed;
}
