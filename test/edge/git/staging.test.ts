// Staging through a copy of the index. git takes a file of the same size for unchanged if its time is not newer than the index.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { stageEverything, treeOfEverything } from "../../../src/edge/git/staging.ts";
import { testRepository } from "./git-kit.ts";

it("stages a change of the same size that was made in the second of the checkout, however late it looks", async () => {
  const repository = testRepository({ "a.txt": "one\n" });
  const { folder, git, say, write } = repository;
  const inSameSecond = async (text: string) => {
    await sleep(1_000 - (Date.now() % 1_000));
    write({ "a.txt": "one\n" });
    say("add", "a.txt");
    write({ "a.txt": text });
    await sleep(1_100);
  };
  await inSameSecond("two\n");
  const tree = await treeOfEverything(git, folder);
  expect(tree).toMatchObject({ ok: true });
  expect(say("show", `${tree.ok ? tree.value : ""}:a.txt`)).toBe("two");
  await inSameSecond("six\n");
  expect(await stageEverything(git, folder)).toMatchObject({ ok: true });
  expect(say("show", ":a.txt")).toBe("six");
});
