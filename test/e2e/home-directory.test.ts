// A session in the home folder says at its start what is different there.
import { expect, it } from "vitest";
import { provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";

it("says only in a home directory that no rule with a wildcard is offered", async () => {
  const place = teamPlace();
  const api = await provider({ tool: [text("Done."), text("Done."), text("Done.")] });
  const said = async (home: string) => {
    const program = place.warm(["--print", "Look."], { env: { ...api.env, HOME: home } });
    await program.ended;
    return /You work in [^\n]*/.exec(program.stderr())?.[0];
  };
  expect([await said(place.repository), await said(`${place.folder}/home`)]).toEqual([
    "You work in your home directory. It holds many files that programs run or read as settings, and few of them are protected by name, so you are asked about each command that no rule allows, and no rules with wildcards are offered. Start in the folder of a project.",
    undefined,
  ]);
  const above = await said(`${place.repository}/inside`);
  expect(above).toContain(`You work in ${place.repository}, which contains your home directory. It holds many files`);
});
