import { expect, it } from "vitest";
import { noServers } from "../../src/mcp/choose-servers.ts";
import { everythingInside } from "../../src/permissions/grants.ts";
import type { SandboxState } from "../../src/permissions/policy.ts";
import type { LoadedSettings } from "../../src/settings/files.ts";
import { permissionLines, permissionList } from "../../src/settings/permission-list.ts";
import { mergeSettings } from "../../src/settings/scopes.ts";

it("lists rules with their files, and grants with their times", () => {
  const file = "/home/me/.tool/settings.json";
  const effective = mergeSettings([{ scope: "user", file, folder: "/home/me", settings: { permissions: { deny: ["Read(a)"] } } }], {
    trusted: false,
    home: "/home/me",
  });
  const by = { places: { cwd: "/repo", home: "/home/me", configDir: "/home/me/.tool", managed: [] }, flags: {} };
  const trust = { state: "untrusted", changed: false } as const;
  const settings: LoadedSettings = { root: "/repo", files: [], effective, servers: noServers, trust, hash: undefined, by };
  const since = new Date(2026, 0, 2, 3, 4).toISOString();
  const lines = permissionLines(
    permissionList(settings, {
      cwd: "/repo",
      sandbox: { kind: "active" },
      granted: [
        { rule: "Edit", kind: "session", since },
        { rule: "Write", kind: "session", since, agent: "agent ada (a-1)" },
        { rule: "Bash(npm test)", kind: "always", since, file: ".tool/settings.local.json" },
        { rule: everythingInside, kind: "team", since },
      ],
    }),
    "tool",
  );
  expect(lines).toEqual([
    "Mode: default",
    "Sandbox: on, hosts are asked about",
    "Rules: a deny anywhere wins, then ask, then the mode, then allow",
    `  deny   Read(a)  ${file}`,
    "         here //repo/**/a",
    "Granted, each with the command that revokes it:",
    "  Edit     this session, since 03:04  /permissions remove Edit",
    "  Write    this session, since 03:04, asked by agent ada (a-1)  /permissions remove Write",
    "  Bash(npm test)  always, since 03:04  .tool/settings.local.json  /permissions remove Bash(npm test)",
    "  x: everything that stays in the sandbox  this team, since 03:04  /permissions remove x",
    "Directories:",
    "  /repo  working directory",
  ]);
});

it("distinguishes what waits for trust from what is never granted", () => {
  const [file, folder] = ["/repo/.tool/settings.json", "/repo"];
  const given = { permissions: { allow: ["Bash"] }, apiKeyHelper: "k", sandbox: { network: true } };
  const listed = (trusted: boolean) => {
    const effective = mergeSettings([{ scope: "project", file, folder, settings: given }], { trusted, home: "/home/me" });
    const trust = trusted ? ({ state: "trusted" } as const) : ({ state: "untrusted", changed: true } as const);
    const settings = {
      root: "/repo",
      files: [],
      effective,
      trust,
      hash: undefined,
      by: { places: { home: "/home/me" }, flags: {} },
    } as never;
    return permissionLines(permissionList(settings, { cwd: "/repo", sandbox: { kind: "active" } }), "/permissions add");
  };
  const never = [
    "Never has effect in a project's settings, trusted or not:",
    `  key helper: k  ${file}`,
    `  sandbox: network: true  ${file}`,
  ];
  expect(listed(false).slice(1)).toEqual([
    "Sandbox: on, hosts are asked about",
    "No rules. To add one: /permissions add 'Bash(npm test)'",
    "Directories:",
    "  /repo  working directory",
    "Held back, because this project has changed since you trusted it or changed its rules:",
    `  allow rule: Bash  ${file}`,
    ...never,
  ]);
  expect(listed(true).slice(1)).toEqual([
    "Sandbox: on, hosts are asked about",
    "Rules: a deny anywhere wins, then ask, then the mode, then allow",
    `  allow  Bash  ${file}`,
    "Directories:",
    "  /repo  working directory",
    ...never,
  ]);
});

it.each<[SandboxState, string]>([
  [{ kind: "active" }, "on, hosts are asked about"],
  [{ kind: "off" }, "off, so commands can do whatever you can"],
  [{ kind: "missing", why: "none" }, "on in the settings, not available here: none. Allowed commands can do whatever you can"],
  [{ kind: "lost", why: "gone" }, "on in the settings, and cannot be used: gone. You are asked for every command"],
  [{ kind: "refused", why: "none" }, "required by the settings, and cannot be used: none. No command runs"],
])("describes the sandbox %j on this machine", (sandbox, words) => {
  const effective = mergeSettings([], { trusted: false, home: "/home/me" });
  const list = permissionList({ root: "/repo", effective, trust: { state: "trusted" } } as never, { cwd: "/repo", sandbox });
  expect(permissionLines(list, "tool")[1]).toBe(`Sandbox: ${words}`);
  expect(list.sandbox).toEqual({ enabled: true, network: "asked", state: sandbox.kind, why: "why" in sandbox ? sandbox.why : null });
});
