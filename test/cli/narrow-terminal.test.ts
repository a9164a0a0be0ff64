// What commands print on a terminal of 40 columns: it breaks between words.
import { expect, it } from "vitest";
import { personsTerminal } from "../persons-terminal.ts";
import { teamPlace, tool } from "../team-kit.ts";

it("breaks the lines of permissions check, team status and its note between words", async () => {
  const place = teamPlace();
  const created = place.tool(["team", "create", "a-team-with-a-long-name", "--members", "lead,ann"]);
  expect(await created.ended).toMatchObject({ code: 0 });
  const shown = async (cwd: string, ...args: string[]) => {
    const terminal = personsTerminal([...tool, ...args], { env: place.env, cwd, columns: 40, rows: 30 });
    await terminal.ended;
    return terminal.everything().join("\n").trimEnd();
  };
  expect(await shown(place.repository, "permissions", "check", "Edit(a.txt)")).toMatch(
    /^ask {4}Edit\(a\.txt\)\n {7}No rule allows it\nDecided for a session here\. Sandbox:.*\n {2}\w/,
  );
  const status = await shown(place.folder, "team", "status");
  expect(status).toContain("tool: this folder has no team. This is\n  team a-team-with-a-long-name, ");
  expect(status).toContain("Team a-team-with-a-long-name has no\n  processes of its own: no tasks yet;");
});
