import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { loadSettings } from "../../src/settings/files.ts";
import { utf8Text } from "../../src/wording/utf8-text.ts";
import { scratchFolder } from "../scratch.ts";

const latin1 = Buffer.from('{ "permissions": {\n  "deny": ["Read(b\u00fccher/**)"]\n} }\n', "latin1");

it("utf8Text() reads UTF-8 as it is, and names the first line that is something else", () => {
  expect(utf8Text(Buffer.from("\ufeffb\u00fccher \ufffd\n"))).toEqual({ ok: true, text: "\ufeffb\u00fccher \ufffd\n" });
  expect(utf8Text(latin1)).toEqual({ ok: false, line: 2, reason: "it is not UTF-8 text. Save it as UTF-8" });
  expect(utf8Text(Buffer.from("\ufeff{}\n", "utf16le"))).toMatchObject({ ok: false, line: 1 });
});

it.each(["settings.json", ".toolignore", ".mcp.json"])("nothing is read as other letters than %s has", (name) => {
  const folder = scratchFolder();
  const root = join(folder, "repo");
  for (const path of ["repo/.git", "repo/.tool", "home"]) mkdirSync(join(folder, path), { recursive: true });
  const file = join(root, name === "settings.json" ? ".tool/settings.json" : name);
  writeFileSync(file, latin1);
  const places = { cwd: root, home: join(folder, "home"), configDir: join(folder, "home/.tool"), managed: [] };
  const loaded = loadSettings(disk, places);
  const said = loaded.ok ? loaded.servers.problems : [loaded.reason];
  const servers = name === ".mcp.json";
  const reason = `${file}:2: it is not UTF-8 text. Save it as UTF-8`;
  expect(said).toEqual([servers ? `Cannot use the servers of ${reason}.` : `Cannot use ${reason}`]);
});
