import { expect, it } from "vitest";
import { z } from "zod";
import { issueWords, placedWords } from "../../src/wording/issue-words.ts";

const schema = z.strictObject({
  text: z.string().min(1).max(3).optional(),
  list: z.array(z.number().int().min(2).max(5)).min(1).max(2).optional(),
  kind: z.enum(["a", "b"]).optional(),
  one: z.literal(1).optional(),
  either: z.union([z.string(), z.boolean()]).optional(),
  id: z.string().regex(/^x/, { error: "an id begins with x" }).optional(),
  at: z.object({ must: z.boolean() }).optional(),
});

const issuesOf = (value: unknown) => schema.safeParse(value).error?.issues ?? [];

it.each([
  [{ text: 1 }, "must be a string"],
  [{ text: "" }, "must not be empty"],
  [{ text: "long" }, "may have at most 3 characters"],
  [{ list: {} }, "must be a list"],
  [{ list: [] }, "must not be empty"],
  [{ list: [2, 2, 2] }, "may have at most 2 entries"],
  [{ list: [1] }, "must be at least 2"],
  [{ list: [6] }, "must be at most 5"],
  [{ list: [2.5] }, "must be a whole number"],
  [{ kind: "c" }, 'must be one of "a", "b"'],
  [{ one: 2 }, "must be 1"],
  [{ either: 1 }, "has another form than expected"],
  [{ id: "y" }, "an id begins with x"],
  [{ at: {} }, "is missing"],
  [{ at: { must: 1 } }, "must be true or false"],
  [{ more: 1 }, "has an unknown key: more"],
  [null, "must be an object"],
])("issueWords() of %j: %s", (value, words) => {
  expect(issuesOf(value).map(issueWords)).toEqual([words]);
});

it.each([
  [{ at: {} }, '"at.must" is missing'],
  [{ id: "y" }, '"id": an id begins with x'],
  [null, "it must be an object"],
])("placedWords() of %j: %s", (value, words) => {
  expect(issuesOf(value).map(placedWords)).toEqual([words]);
});
