// What is within a folder, and which names are told apart by their place.
import { isAbsolute, relative } from "node:path";
import { expect, it } from "vitest";
import { isSensitiveName, within } from "../../../src/permissions/paths/places.ts";
import { seeded } from "../../process/seeded.ts";

it("within() says of every two paths what their relative way says", () => {
  const chance = seeded(7);
  const parts = ["a", "b", "ab", "..", ".", "", "..a", "a..", "...", ".a", "a b", "\u00e9", "*"];
  const path = () =>
    (chance() < 0.9 ? "/" : "") +
    Array.from({ length: Math.floor(chance() * 5) }, () => parts[Math.floor(chance() * parts.length)]).join("/");
  const byTheWay = (folder: string, at: string) => {
    const way = relative(folder, at);
    return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../"));
  };
  const pairs = Array.from({ length: 20_000 }, () => {
    const folder = path();
    return [folder, chance() < 0.5 ? path() : `${folder}/${path()}`] as const;
  });
  expect(pairs.filter(([folder, at]) => within(folder, at) !== byTheWay(folder, at))).toEqual([]);
  const inside = pairs.filter(([folder, at]) => within(folder, at)).length;
  expect([inside > 2_000, inside < 18_000]).toEqual([true, true]);
});

it("isSensitiveName() knows a name of each kind", () => {
  const names = [
    ".env",
    "a/.ENV.local",
    "x/server.pem",
    "id_ed25519",
    ".ssh/config",
    ".aws/x",
    ".netrc",
    ".my.cnf",
    ".cargo/credentials.toml",
  ];
  const others = [
    ".venv/lib/site-packages/pip/_vendor/certifi/cacert.pem",
    "node_modules/a/key.pem",
    "src/tests/tls/server.key",
    "etc/cacert.pem",
    ".env.example",
    ".env.sample",
    ".env.template",
    "server.pem.md",
    "id_ed25519.pub",
    ".ssh/id.pub",
    "aws/x",
    "netrc",
    "src/part-1.ts",
  ];
  expect([names, others].map((list) => list.filter(isSensitiveName))).toEqual([names, []]);
});
