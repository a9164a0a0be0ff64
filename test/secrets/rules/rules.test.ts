// Lines that are in no labelled set and that only one rule finds.
import { expect, it } from "vitest";
import { scanText } from "../../../src/secrets/secrets.ts";

const secret = "hK92jLq8x";
const token = "8f14e45fceea167a5a36dedd4bea2543";

it.each([
  [`net use z: \\\\srv\\share /user:joe ${secret}`, secret],
  [`Authorization: ${token}`, token],
  [`wget --header="Authorization: ${token}" http://localhost`, token],
  [`npm login -p ${secret}`, secret],
  [`podman login -u bob -p ${secret} quay.io`, secret],
  [`secretsdump.py domain/bob:${secret}@host`, `${secret}@host`],
])("finds the secret of `%s`", (line, value) => {
  expect(scanText(line).map(({ start, end }) => line.slice(start, end))).toContain(value);
});
