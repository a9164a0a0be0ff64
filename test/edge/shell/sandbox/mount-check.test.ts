// Sandboxes that are made while another command replaces folders by links.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { escapeWorld } from "../../escape-world.ts";

const swaps = `
import ctypes, os, time
os.mkdir("a"); open("a/hidden.txt", "w").close(); os.symlink("../outside/a", "link")
while not os.path.exists("stop"):
    ctypes.CDLL(None).renameat2(-100, b"a", -100, b"link", 2)
    open("swapping", "w").close(); time.sleep(0.004)
`;

it.skipIf(await lacks("sandbox"))(
  "a folder that becomes a link while a sandbox is made does not lead it outside",
  { timeout: 180_000 },
  async () => {
    const place = mkdtempSync(join(process.cwd(), "node_modules", ".scratch-")); // /tmp is not there in the sandbox
    const world = await escapeWorld({ deny: ["Read(hidden.txt)"], folder: place });
    try {
      world.tree.put("outside/a/hidden.txt", "outside");
      const swapping = world.run(`python3 -c '${swaps}'`, { timeoutMs: 180_000 });
      await eventually(() => existsSync(world.tree.at("work/swapping")));
      for (let count = 0; count < 6; count++) {
        const { end, output } = await world.run('echo x > "$OUTSIDE/a/made"; echo x > a/made');
        expect(end.kind === "exited" ? "ran inside" : output).toMatch(
          /ran inside|another program replaced|changed while the sandbox was made/,
        );
      }
      writeFileSync(world.tree.at("work/stop"), "");
      await swapping;
      expect(existsSync(world.tree.at("outside/a/made"))).toBe(false);
      expect((await world.run("echo x > made")).end).toEqual({ kind: "exited", code: 0 });
    } finally {
      await world.close();
      rmSync(place, { recursive: true });
    }
  },
);
