import { expect, it } from "vitest";
import type { LoadedSettings } from "../../src/settings/files.ts";
import { permissionLines, permissionList } from "../../src/settings/permission-list.ts";
import { mergeSettings } from "../../src/settings/scopes.ts";

it("lists rules with their files, and what a person has granted with since when", () => {
  const file = "/home/me/.tool/settings.json";
  const effective = mergeSettings([{ scope: "user", file, folder: "/home/me", settings: { permissions: { deny: ["Read(a)"] } } }], {
    trusted: false,
    home: "/home/me",
  });
  const by = { places: { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", managed: [] }, flags: {} };
  const trust = { state: "untrusted", changed: false } as const;
  const settings: LoadedSettings = { root: "/repo", files: [], effective, trust, hash: undefined, by };
  const since = new Date(2026, 0, 2, 3, 4).toISOString();
  const lines = permissionLines(
    permissionList(settings, "/repo", [
      { rule: "Edit", kind: "session", since },
      { rule: "Write", kind: "session", since, agent: "agent ada (a-1)" },
      { rule: "Bash(npm test)", kind: "always", since, file: ".tool/settings.local.json" },
    ]),
    "tool",
  );
  expect(lines).toEqual([
    "Mode: default",
    "Sandbox: on, network off",
    "Rules: a deny anywhere wins, then ask, then the mode, then allow",
    `  deny   Read(a)  ${file}`,
    "Granted (/permissions remove revokes it):",
    "  Edit     this session, since 03:04",
    "  Write    this session, since 03:04, asked by agent ada (a-1)",
    "  Bash(npm test)  always, since 03:04  .tool/settings.local.json",
    "Directories:",
    "  /repo  working directory",
  ]);
});

it("tells what waits for trust from what never counts", () => {
  const [file, folder] = ["/repo/.tool/settings.json", "/repo"];
  const given = { permissions: { allow: ["Bash"] }, apiKeyHelper: "k", sandbox: { network: true } };
  const listed = (trusted: boolean) => {
    const effective = mergeSettings([{ scope: "project", file, folder, settings: given }], { trusted, home: "/home/me" });
    const trust = trusted ? ({ state: "trusted" } as const) : ({ state: "untrusted", changed: true } as const);
    const list = permissionList({ root: "/repo", files: [], effective, trust, hash: undefined, flags: {} } as never, "/repo");
    return permissionLines(list, "tool");
  };
  const never = [
    "Never has effect in a project's settings, trusted or not:",
    `  key helper: k  ${file}`,
    `  sandbox: network: true  ${file}`,
  ];
  expect(listed(false).slice(1)).toEqual([
    "Sandbox: on, network off",
    "No rules. To add one: tool permissions add 'Bash(npm test)'",
    "Directories:",
    "  /repo  working directory",
    "Held back, because this project is changed since it was trusted:",
    `  allow rule: Bash  ${file}`,
    ...never,
  ]);
  expect(listed(true).slice(1)).toEqual([
    "Sandbox: on, network off",
    "Rules: a deny anywhere wins, then ask, then the mode, then allow",
    `  allow  Bash  ${file}`,
    "Directories:",
    "  /repo  working directory",
    ...never,
  ]);
});
