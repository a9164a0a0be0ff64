// The whole contract with real processes: a command that joins its arguments as ssh does behind a shell that prints, one that does not, and
// sshd on loopback where it is installed.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Place } from "../../../src/places/place.ts";
import { type PlaceCheck, testPlace } from "../../../src/places/test-place.ts";
import { lacks } from "../../needs.ts";
import { inContainer, placePortsFor, type Sshd, sshdOnLoopback } from "../../places/place-world.ts";
import { smallDisk } from "../../scratch.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tool-place-"));
  writeFileSync(join(folder, "join.sh"), 'echo "Welcome to this host"\nexec sh -c "$*"\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function tested(place: Partial<Place>, env: Record<string, string> = {}) {
  const checks: PlaceCheck[] = [];
  const ports = { ...placePortsFor(env), version: "0.1.0" };
  const usable = await testPlace({ name: "far", command: ["env"], folder: join(folder, "far"), ...place }, ports, (check) =>
    checks.push(check),
  );
  return { usable, fails: checks.flatMap((check) => (check.state === "fails" ? [`${check.what}: ${check.why}`] : [])), checks };
}

it("a command that passes its arguments on, and one that joins them behind a shell that prints, can be used", async () => {
  const separate = await tested({});
  expect([separate.usable, separate.fails]).toEqual([true, []]);
  const joined = await tested({ command: ["/bin/sh", join(folder, "join.sh")], arguments: "joined" });
  expect([joined.usable, joined.fails]).toEqual([true, []]);
  const notes = joined.checks.flatMap((check) => (check.state === "note" ? [`${check.what}: ${check.why}`] : []));
  expect(notes.slice(0, 2)).toEqual([
    "a shell prints before: 20 bytes, which are skipped",
    `the program: it was there; Node ${process.versions.node}`,
  ]);
  expect(readdirSync(join(folder, "far", "program")).length).toBe(1);
});

it.each<[string, Partial<Place>, string]>([
  [
    "arguments that are joined and were said to be separate",
    { command: ["/bin/sh", "JOIN"] },
    'its arguments arrive unchanged: they do if they are joined. Set "places.far.arguments" to "joined"',
  ],
  ["no Node", { node: "nodex" }, "there is no nodex there"],
  ["a folder that others may write", { folder: "/tmp" }, "the folder /tmp cannot be used: other users may write to it"],
  ["a folder that cannot be made", { folder: "/dev/null/x" }, "the folder /dev/null/x cannot be used: ENOTDIR"],
])("tool place test says what to do about %s", async (_what, place, why) => {
  const command = place.command?.map((word) => (word === "JOIN" ? join(folder, "join.sh") : word));
  const { usable, fails } = await tested({ ...place, ...(command && { command }) });
  expect([usable, fails.length, fails[0]]).toEqual([false, 1, expect.stringContaining(why)]);
});

it("a program that was changed at the place is sent again", async () => {
  const far = join(folder, "changed");
  await tested({ folder: far });
  const [hash = ""] = readdirSync(join(far, "program"));
  writeFileSync(join(far, "program", hash, "dist/main.cjs"), "process.exit(9)");
  const again = await tested({ folder: far });
  expect([again.usable, again.checks.find(({ what }) => what === "the program")]).toEqual([
    true,
    { what: "the program", state: "note", why: expect.stringContaining("were sent") },
  ]);
});

it.skipIf(await lacks("a file system of its own"))("a full disk there is said, and keeps no part of the program", async () => {
  const far = join(smallDisk("size=512k").folder, "far");
  const { usable, fails } = await tested({ folder: far });
  expect([usable, fails]).toEqual([false, [expect.stringContaining(`there is no room in ${far}: ENOSPC`)]]);
  expect(readdirSync(join(far, "program"))).toEqual([]);
});

it.skipIf(await lacks("podman"))("a container without a network can be used, and ends with its input", async () => {
  const own = join(folder, "container");
  mkdirSync(own);
  const { usable, fails } = await tested({ command: inContainer(own), folder: join(own, "far") });
  expect([usable, fails]).toEqual([true, []]);
});

describe("over ssh", async () => {
  const skip = await lacks("sshd");
  let sshd: Sshd | undefined;
  beforeAll(async () => {
    if (skip) return;
    mkdirSync(join(folder, "ssh"), { mode: 0o700 });
    sshd = await sshdOnLoopback(join(folder, "ssh"));
  });
  afterAll(() => sshd?.stop());

  it.skipIf(skip)("a place behind sshd can be used, and neither the link nor its disk gets a key of home", async () => {
    const env = { ANTHROPIC_API_KEY: "sk-of-home-1", GITHUB_TOKEN: "token-of-home-2" };
    const { usable, fails } = await tested({ command: sshd!.command, folder: join(folder, "far-ssh"), env: { CI: "1" } }, env);
    expect([usable, fails]).toEqual([true, []]);
    expect(sshd!.filesWith(join(folder, "far-ssh"), Object.values(env))).toEqual([]);
    expect(existsSync(join(folder, "far-ssh", "program"))).toBe(true);
  });

  it.skipIf(skip)("a terminal that is asked for is refused with its reason", async () => {
    const [ssh = "", ...rest] = sshd!.command;
    const { fails } = await tested({ command: [ssh, "-tt", ...rest], folder: join(folder, "far-tty") });
    expect(fails).toEqual([expect.stringContaining("Remove -t, --tty, --pty or --unbuffered from")]);
  });
});
