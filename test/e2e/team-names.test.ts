// Teams that start at the same moment get different names.
import { expect, it } from "vitest";
import { provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { teamPlace } from "../team-kit.ts";

it("four that start at once all start", async () => {
  const place = teamPlace();
  const api = await provider({ lead: Array(4).fill(text("Nothing to do.")) });
  const runs = Array.from({ length: 4 }, () =>
    place.warm(["team", "--print", "--display", "in-process", "Look around."], { env: api.env }),
  );
  const ends = await Promise.all(runs.map(async (run) => ({ ...(await run.ended), said: run.output().split(":")[0] })));
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(["atlas", "birch", "cedar", "delta"].map((name) => place.team(name).record()?.name)).toEqual(["atlas", "birch", "cedar", "delta"]);
});
