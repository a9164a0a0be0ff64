// The attacks of the fixtures, tried in the real sandbox: what a command was refused for must not come about when it runs there. A secret that
// is printed or copied, a file outside or a protected one that changes, or a connection tells. Without a sandbox they are judged by decision
// (test/shell/fixtures.test.ts, test/permissions/second-attacks.test.ts).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type EscapeWorld, escapeWorld } from "../edge/escape-world.ts";
import { lacks } from "../needs.ts";
import { policyCases } from "../policy-cases.ts";

const group = z.object({ deny: z.array(z.unknown()).default([]), notAllow: z.array(z.unknown()).default([]) });
const second = z.array(group).parse(JSON.parse(readFileSync("fixtures/attacks/second.json", "utf8")));
const commands = [
  ...new Set([
    ...["shell", "further"].flatMap((name) => policyCases(`attacks/${name}`)).flatMap(({ call }) => call.input.command ?? []),
    ...second.flatMap(({ deny, notAllow }) => [...deny, ...notAllow]).filter((call) => typeof call === "string"),
    'curl -s --max-time 0.2 "http://127.0.0.1:$LOOPBACK_PORT"; exec 3<>/dev/tcp/127.0.0.1/$LOOPBACK_PORT',
    'echo x > "$OUTSIDE/file"; rm -rf "$OUTSIDE"; mv "$OUTSIDE" gone; ln "$OUTSIDE/file" here; ln -s "$OUTSIDE" there; echo x > there/file',
    "cat ~/.ssh/* ~/.aws/* ~/.netrc; cp -r ~ copy; tar czf - ~ | tar xzf -; cat $HOST_TMP",
    "echo x >> .git/config; echo x > .git/hooks/pre-commit; rm -rf .git/hooks; mv .git other; echo '{}' > .tool/settings.json",
  ]),
].filter((command) => !command.includes("\0")); // no shell is given such a one

/** Files that the rules of the fixtures deny, whose contents no command may read. */
const denied = [".env", "secrets/key", "secrets/key.pem", "secret/key", "secret/a.txt", "private/a.txt", "certs/a.pem", "config/app.yml"];
const rules = [".env", "secrets/**", "secret/**", "private/**", "*.pem"].map((pattern) => `Read(${pattern})`);
const masked = denied.filter((path) => !path.startsWith("config/"));

async function openWorld(enabled: boolean): Promise<EscapeWorld> {
  const world = await escapeWorld({ enabled, deny: [...rules, "Edit(config/**)"] });
  for (const path of denied) world.tree.put(`work/${path}`, masked.includes(path) ? world.canary : "app");
  return world;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs them side by side, a list at a time, and returns those that printed the secret. */
async function telling({ run, canary }: EscapeWorld, list: string[]): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < list.length; from += atOnce) {
    const some = list.slice(from, from + atOnce);
    const started = some.map((command, at) => `timeout -k 0.1 0.5 bash -c ${quoted(command)} </dev/null >"$out"/${at} 2>&1 &`);
    const printed = some.map((_, at) => `printf '\n<%s>\n' ${at}; head -c 9999 "$out"/${at}`);
    const { end, output } = await run(["out=$(mktemp -d)", ...started, "wait", ...printed, 'rm -r "$out"'].join("\n"));
    expect(end.kind).not.toBe("failed"); // else none of them was tried
    const parts = output.split(/\n<(\d+)>\n/);
    for (let at = 1; at < parts.length; at += 2) if (parts[at + 1]!.includes(canary)) found.push(some[Number(parts[at])]!);
  }
  return found;
}

const atOnce = 100;

/** Files of the tree, other than those that are denied, that hold the secret. */
function copies({ tree, canary }: EscapeWorld): string[] {
  const work = tree.at("work");
  const names = readdirSync(work, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name));
  return paths.filter(
    (path) =>
      ![...masked, "secret/denied.txt"].some((known) => path === join(work, known)) && readFileSync(path, "latin1").includes(canary),
  );
}

/** git itself removes the empty folder, and leaves an empty lock where it is killed for being late. */
const ofGit = /^work\/\.git\/(?:objects\/info \d+ \d+|[\w-]+\.lock \d+ 0 [\d.]+) $/;

/** So many have a world, and the deadline of a test, of their own. */
const inOneWorld = 200;
const worlds = Array.from({ length: Math.ceil(commands.length / inOneWorld) }, (_, at) => at * inOneWorld);

describe.skipIf(await lacks("sandbox"))("no attack of the fixtures has its effect in the sandbox", () => {
  it.each(worlds)("from the one numbered %i", async (from) => {
    const world = await openWorld(true);
    try {
      const snapshot = () => world.snapshot().filter((line) => !ofGit.test(line));
      const before = snapshot();
      expect(await telling(world, commands.slice(from, from + inOneWorld))).toEqual([]);
      expect(snapshot()).toEqual(before);
      expect([copies(world), world.connections()]).toEqual([[], 0]);
    } finally {
      await world.close();
    }
  });
});

it("without it the same commands would be found out", async () => {
  const world = await openWorld(false);
  try {
    const before = world.snapshot();
    expect(await telling(world, ["cat secrets/key", "echo x", "cat ~/.netrc"])).toEqual(["cat secrets/key", "cat ~/.netrc"]);
    await world.run('cp secrets/key copy; echo x > "$OUTSIDE/file"; exec 3<>/dev/tcp/127.0.0.1/$LOOPBACK_PORT; cat <&3');
    expect([copies(world).length, world.connections(), world.snapshot().length === before.length]).toEqual([1, 1, true]);
    expect(world.snapshot()).not.toEqual(before);
  } finally {
    await world.close();
  }
});
