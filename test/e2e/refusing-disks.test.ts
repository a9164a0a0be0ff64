import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, gate, newest, provider, toolResults } from "../cast.ts";
import { text } from "../messages-api.ts";
import { eventually, smallDisk } from "../scratch.ts";
import { processesOf, teamPlace } from "../team-kit.ts";

const completed = call("TaskUpdate", { id: "task-1", status: "completed", summary: "Done." });
it.each(["full", "ro"])("%s", async (how) => {
  const place = teamPlace();
  const disk = smallDisk("size=1m");
  const first = gate([completed]);
  const api = await provider({
    lead: [[call("TaskCreate", { title: "Only task" }), call("SpawnTeammate", { name: "ada" })], text("ada is at work."), text("Reported.")],
    ada: [first.answer, text("Cannot."), completed, text("Done.")],
  });
  const run = place.tool(["team", "--print", "--display", "in-process", "Do it."], { env: { ...api.env, TOOL_CONFIG_DIR: disk.folder } });
  await eventually(() => api.requests("ada").length === 1);
  await new Promise(r => setTimeout(r, 500));
  if (how === "ro") disk.remount("ro"); else try { writeFileSync(join(disk.folder, "fill"), Buffer.alloc(2_000_000)); } catch {}
  first.open();
  const end = await Promise.race([run.ended, new Promise((r) => setTimeout(r, 15000))]);
  console.log(end, run.output());
  console.log(processesOf(place.folder));
  console.log(toolResults(api.requests("ada")[1]), api.requests("ada").length, api.requests("lead").length);
  run.child.kill("SIGTERM");
  const end2 = await Promise.race([run.ended, new Promise((r) => setTimeout(r, 20000))]);
  console.log(end2, run.output());
});
