import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";
import { locate } from "../../src/permissions/call.ts";
import { decide } from "../../src/permissions/decision.ts";
import { makePolicy } from "../../src/permissions/policy.ts";
import { mergeSettings } from "../../src/settings/scopes.ts";
import { readSettings } from "../../src/settings/settings.ts";

const call = z.union([
  z.string().transform((command) => ({ tool: "Bash", input: { command } as unknown })),
  z.object({ tool: z.string(), input: z.unknown() }),
]);
const groups = z.array(
  z.object({
    permissions: z.unknown(),
    toolignore: z.string().optional(),
    agent: z.object({ tools: z.array(z.string()) }).optional(),
    deny: z.array(call).default([]),
    notAllow: z.array(call).default([]),
    allow: z.array(call).default([]),
  }),
);

const real = async (path: string) => path;

/** The policy of a group, created once: creating it for every case would cost a lot of time and is not the subject here. */
async function policyOf({ permissions, toolignore, tools }: { permissions: unknown; toolignore?: string; tools?: string[] }) {
  const read = readSettings({ permissions });
  if (!read.ok) throw new Error(read.faults[0]!.reason);
  const places = { cwd: "/repo", home: "/home/me" };
  const scoped = [{ scope: "user" as const, file: "settings", folder: places.cwd, settings: read.settings }];
  const { rules, mode } = mergeSettings(scoped, { trusted: false, home: places.home });
  const made = await makePolicy(
    {
      ...places,
      ...rules,
      configDir: "/home/me/.tool",
      directories: [],
      sandbox: { kind: "active" },
      autoAllow: false,
      ...(mode && { mode }),
      ...(toolignore !== undefined && { toolignore: { text: toolignore, folder: places.cwd } }),
      ...(tools && { tools }),
    },
    real,
  );
  if (!made.ok) throw new Error(made.reason);
  return made.policy;
}

it("attacks written independently of the engine stay refused, and everyday work allowed", async () => {
  const wrong: unknown[] = [];
  let count = 0;
  for (const { deny, notAllow, allow, agent, ...settings } of groups.parse(
    JSON.parse(readFileSync("fixtures/attacks/second.json", "utf8")),
  )) {
    const policy = await policyOf({ ...settings, ...agent });
    for (const [calls, right] of [
      [deny, ["deny"]],
      [notAllow, ["ask", "deny"]],
      [allow, ["allow"]],
    ] as const) {
      for (const each of calls) {
        const { decision, reason } = decide(await locate(each, policy, real), policy);
        count++;
        if (!(right as readonly string[]).includes(decision)) wrong.push({ ...each, right, decision, reason });
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThanOrEqual(1700);
});
