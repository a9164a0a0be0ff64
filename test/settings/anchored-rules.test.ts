// A project's rules about files mean the same wherever the session is started; the person's own count from the working directory.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { disk } from "../../src/edge/disk/disk.ts";
import { decide, denial } from "../../src/permissions/decision.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { loadSettings, policyOrder } from "../../src/settings/files.ts";
import { permissionList } from "../../src/settings/permission-list.ts";
import { scratchFolder } from "../scratch.ts";

const secret = "config/secrets/k.txt";

async function started(file: string, settings: object, cwd: string, top: string) {
  const place = join(top, file);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, JSON.stringify(settings));
  const places = { cwd: realpathSync(join(top, cwd)), home: join(top, "home"), configDir: join(top, "home/.tool"), managed: [] };
  const loaded = loadSettings(disk, places, { trust: true });
  if (!loaded.ok) throw new Error(loaded.reason);
  const made = await makePolicy(policyOrder(loaded, places), async (path) => path);
  if (!made.ok) throw new Error(made.reason);
  return { loaded, policy: made.policy, places };
}

function project(): string {
  const top = realpathSync(scratchFolder());
  for (const path of ["repo/.git/HEAD", `repo/${secret}`, "repo/src/deep/a.ts", "home/x"]) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), "x\n");
  }
  symlinkSync(join(top, "repo/config"), join(top, "link"));
  return top;
}

const starts = ["repo", "repo/config", "repo/config/secrets", "repo/src/deep", "link"];
const patterns = [
  "config/secrets/**",
  "./config/secrets/**",
  "/config/secrets/**",
  "config/secrets/k.txt",
  "/config/secrets",
  "**/secrets/k.txt",
];

describe.each(["repo/.tool/settings.json", "repo/.tool/settings.local.json"])("a rule of %s", (file) => {
  it.each(patterns)("denies and asks for the same file from every folder: %s", async (pattern) => {
    for (const cwd of starts) {
      const top = project();
      const at = join(top, "repo", secret);
      const subject = { written: at, real: at, file: true as const };
      const denied = await started(file, { permissions: { deny: [`Read(${pattern})`, `Edit(${pattern})`] } }, cwd, top);
      expect([cwd, denial("read", subject, denied.policy)?.decision, denial("write", subject, denied.policy)?.decision]).toEqual([
        cwd,
        "deny",
        "deny",
      ]);
      const asked = await started(file, { permissions: { ask: [`Read(${pattern})`] } }, cwd, top);
      const call = { tool: "Read", input: {}, subject: { kind: "path" as const, access: "read" as const, ...subject } };
      expect([cwd, decide(call, asked.policy).decision]).toEqual([cwd, "ask"]);
      const means = permissionList(denied.loaded, { cwd: denied.places.cwd, sandbox: { kind: "off" } }).rules.map((rule) => rule.means);
      expect(means[0]).toMatch(new RegExp(`^//?${join(top, "repo").slice(1)}/`));
    }
  });

  it("allows the same files from every folder, and no others of the same name", async () => {
    for (const cwd of starts) {
      const top = project();
      const { policy } = await started(file, { permissions: { allow: ["Edit(src/**)"] } }, cwd, top);
      const edit = (path: string) => {
        const at = join(top, path);
        return decide({ tool: "Edit", input: {}, subject: { kind: "path", access: "write", written: at, real: at, file: true } }, policy)
          .decision;
      };
      expect([cwd, edit("repo/config/src/a.ts")]).not.toEqual([cwd, "allow"]);
      expect([cwd, edit("repo/src/deep/a.ts")]).toEqual([cwd, cwd === "repo" || cwd.startsWith("repo/src") ? "allow" : "deny"]);
    }
  });
});

it("the person's own rules count from the working directory", async () => {
  const top = project();
  const at = join(top, "repo", secret);
  const of = async (cwd: string) => {
    const { policy } = await started("home/.tool/settings.json", { permissions: { deny: ["Read(./secrets/**)"] } }, cwd, top);
    return denial("read", { written: at, real: at, file: true }, policy)?.decision;
  };
  expect([await of("repo"), await of("repo/config")]).toEqual([undefined, "deny"]);
});

it("a project's hook runs at its root, and its patterns begin there", async () => {
  const top = project();
  const hooks = { PreToolUse: [{ matcher: "Read(config/**)", hooks: [{ type: "command", command: "./guard.sh" }] }] };
  const { loaded } = await started("repo/.tool/settings.json", { hooks }, "repo/config", top);
  expect(loaded.effective.hooks).toMatchObject([{ command: "./guard.sh", folder: join(top, "repo") }]);
});
