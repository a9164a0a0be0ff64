// Begins and ends work in a place's folder again and again, as the hands of one agent after the other do. The argument is JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownGit } from "../../src/edge/git/own-git.ts";
import { travel } from "../../src/edge/places/travel.ts";

const { far, sent, name, rounds } = JSON.parse(process.argv[2] ?? "");
const { commit, bundle } = JSON.parse(readFileSync(sent, "utf8"));
const { arrive, packed, leave } = travel(ownGit({ PATH: process.env["PATH"] ?? "", HOME: far }));
for (let round = 0; round < rounds; round++) {
  const work = `${name}-${round}`;
  const top = join(far, "work", work, "tree");
  await arrive(far, { key: "key", name: work, within: "", top, commit, bundle: Buffer.from(bundle, "base64") });
  writeFileSync(join(top, "made.txt"), `${work}\n`);
  const now = await packed(top, [commit]);
  if (now.commit === commit || now.bundle === undefined) throw new Error(`nothing came of ${work}`);
  await leave(far, { key: "key", name: work });
}
