import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import type { EditRace } from "../programs/edit-racer.ts";
import { tree } from "../tools/tree.ts";

it("loses no edit that an agent was told is done, while three processes edit one file as fast as they can", async () => {
  const agents = ["ada", "bo", "cy"];
  const folder = tree({ counts: agents.map((agent) => `${agent}=0;\n`).join("") });
  const done = await Promise.all(agents.map((agent) => racer({ folder: folder.path, agent, edits: 300 })));
  const text = folder.text("counts");
  const names = readdirSync(folder.path);
  folder.remove();
  expect({ text, names }).toEqual({ text: agents.map((agent, index) => `${agent}=${done[index]};\n`).join(""), names: ["counts"] });
  expect(Math.min(...done)).toBeGreaterThan(10);
});

/** How many edits succeeded. */
async function racer(race: EditRace): Promise<number> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child = spawn(process.execPath, ["dist/test/edit-racer.js", JSON.stringify(race)], { env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "close");
  return Number(output);
}
