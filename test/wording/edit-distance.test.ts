import { expect, it } from "vitest";
import { editDistance } from "../../src/wording/edit-distance.ts";

it.each([
  ["", "", 0],
  ["", "abc", 3],
  ["team", "team", 0],
  ["team", "tema", 1],
  ["team", "teams", 1],
  ["team", "tam", 1],
  ["team", "beam", 1],
  ["kitten", "sitting", 3],
  ["ca", "abc", 3],
  ["abcd", "badc", 2],
])("from %j to %j it is %i", (a, b, distance) => expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]));
