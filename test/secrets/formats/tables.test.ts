import { expect, it } from "vitest";
import { findInTables } from "../../../src/secrets/formats/tables.ts";

it.each([
  ["INSERT INTO users (name, password) VALUES ('bob', 'hK92jLq8x'), ('eve', 'Zq7wLm3pT')", undefined, ["hK92jLq8x", "Zq7wLm3pT"]],
  ["INSERT INTO users (name, age) VALUES ('bob', 3)", undefined, []],
  ["name,password\nbob,hK92jLq8x\n", "a.csv", ["hK92jLq8x"]],
  ["name,password\nbob,hK92jLq8x\n", "a.txt", []],
  ["user;token;x\na;8f14e45fceea167a5a36dedd4bea2543;1", "a.csv", ["8f14e45fceea167a5a36dedd4bea2543"]],
  ["| user | password |\n|---|---|\n| bob | hK92jLq8x |", undefined, ["hK92jLq8x"]],
  ["| Password | hK92jLq8x |", undefined, ["hK92jLq8x"]],
  ["| user | role |\n|---|---|\n| bob | hK92jLq8x |", undefined, []],
  [
    "INSERT INTO t (id, api_key) VALUES (1, NOW()), (2, '8f14e45fceea167a5a36dedd4bea2543');",
    undefined,
    ["8f14e45fceea167a5a36dedd4bea2543"],
  ],
])("findInTables() finds in %j (%s) %j", (text, path, expected) => {
  expect(findInTables(text, path).map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});
