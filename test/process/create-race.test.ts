import { expect, it } from "vitest";
import { temporaryHome, tool } from "./tool.ts";

it("of eight processes that create the same team at once, one succeeds, and the others report that it exists", async () => {
  using home = temporaryHome();
  for (const team of ["atlas", "relay", "orbit"]) {
    const ran = await Promise.all(Array.from({ length: 8 }, () => tool(home, ["team", "create", team, "--members", "ann"])));
    const said = ran
      .filter(({ code }) => code !== 0)
      .map(({ code, stderr }) => ({ code, stderr: stderr.split(":").slice(0, 3).join(":") }));
    const exists = { code: expect.any(Number), stderr: expect.stringContaining(`team "${team}": it exists already`) };
    expect(said).toEqual(Array(7).fill(exists));
    expect((await tool(home, ["team", "tasks", "--team", team])).code).toBe(0);
  }
});
