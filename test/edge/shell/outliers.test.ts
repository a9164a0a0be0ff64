// Outliers below a real folder, for a search or a name pattern.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { outliers } from "../../../src/edge/shell/outliers.ts";
import { isSensitiveName } from "../../../src/permissions/paths/places.ts";
import { scratchFolder } from "../../scratch.ts";

it("finds files with secrets, and links that lead elsewhere", () => {
  const top = scratchFolder();
  for (const folder of ["src/a ..", "docs", "node_modules/x y"]) mkdirSync(join(top, folder), { recursive: true });
  for (const file of [".env", "src/a ../b", "docs/My notes.md", "docs/plain.md", "node_modules/x y/.env"])
    writeFileSync(join(top, file), "");
  symlinkSync("/etc/passwd", join(top, "docs/out"));
  symlinkSync("nowhere", join(top, "docs/dangling"));
  const look = outliers([top], isSensitiveName);
  const links = [
    { path: join(top, "docs/dangling"), target: join(top, "docs/nowhere") }, // a program that writes there creates it
    { path: join(top, "docs/out"), target: "/etc/passwd" },
  ];
  expect(look()).toMatchObject({ sensitive: [join(top, ".env")], links });
  writeFileSync(join(top, "docs/server.key"), "");
  expect(look()?.sensitive).toContain(join(top, "docs/server.key"));
});

it("tells what is in folders of packages, where a search from above need not look", () => {
  const top = join(scratchFolder(), "target/app");
  for (const folder of ["vendor/pkg", "tools", "node_modules"]) mkdirSync(join(top, folder), { recursive: true });
  symlinkSync("../tools", join(top, "vendor/tools"));
  symlinkSync("/etc", join(top, "node_modules/etc"));
  for (const file of ["composer.json", "vendor/pkg/.env"]) writeFileSync(join(top, file), "");
  const found = outliers([top], isSensitiveName)()!;
  expect(found.links).toEqual([{ path: join(top, "vendor/tools"), target: join(top, "tools") }]);
  expect(found.sensitive).toEqual([join(top, "vendor/pkg/.env")]);
  const places = ["src/a", "vendor/pkg/.env", "vendor", "node_modules/etc"];
  expect(places.map((path) => found.packages(join(top, path)))).toEqual([undefined, "read", undefined, "unread"]);
});

it.each([
  ["target", "Cargo.toml"],
  ["target", "pom.xml"],
  ["vendor", "go.mod"],
  ["vendor", "Gemfile"],
  ["venv", "venv/pyvenv.cfg"],
])("takes a folder named %s for one of packages only with %s", (name, proof) => {
  const top = scratchFolder();
  for (const folder of [`deploy/${name}/prod`, `app/${name}/prod`]) mkdirSync(join(top, folder), { recursive: true });
  for (const file of [`deploy/${name}/prod/.env`, `app/${name}/prod/.env`, join("app", proof)]) writeFileSync(join(top, file), "");
  const { packages } = outliers([top], isSensitiveName)()!;
  expect(packages(join(top, `deploy/${name}/prod/.env`))).toBe(undefined);
  expect(packages(join(top, `app/${name}/prod/.env`))).toBe("read");
});
