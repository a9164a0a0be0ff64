// A session in the home directory, or around it, has this program's own folder in its tree: sessions write there while a command runs, and no
// command can.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { lacks } from "../../../needs.ts";
import { eventually } from "../../../scratch.ts";
import { escapeWorld, openAt } from "../../escape-world.ts";

const inSandbox = it.skipIf(await lacks("sandbox"));

const places = [
  ["the home directory", "home"],
  ["a folder around it", "."],
];

async function world(cwd: string, prepare: (home: string) => void = () => {}) {
  const made = await escapeWorld();
  const { home } = made.policy;
  prepare(home);
  const here = await openAt(join(home, "..", cwd), made);
  onTestFinished(async () => {
    await here.close();
    here.sandbox.close();
    await made.close();
  });
  return { ...here, home };
}

/** Runs until `meanwhile` is done, and a look has been taken at the tree after it. */
async function runWhile({ run, home }: Awaited<ReturnType<typeof world>>, command: string, meanwhile: () => Promise<void> | void) {
  const [started, stop] = [join(home, "started"), join(home, "stop")];
  const running = run(`${command}\ntouch ${started}; while [ ! -e ${stop} ]; do sleep 0.05; done; echo ended`);
  await eventually(() => existsSync(started));
  await meanwhile();
  await pause(500);
  writeFileSync(stop, "");
  return running;
}

inSandbox.each(places)("in %s, what other sessions write there is not taken for a command's", async (_, cwd) => {
  const here = await world(cwd);
  const other = join(here.home, ".tool/sandbox/other");
  const { output, denied } = await runWhile(here, "", async () => {
    mkdirSync(join(other, "put-aside/1-x/.git/hooks"), { recursive: true });
    for (const name of ["running.json", "put-aside/1-x/.envrc", "put-aside/1-x/.git/hooks/pre-commit", "../../agents.md"]) {
      writeFileSync(join(other, name), "");
      await pause(120);
    }
  });
  expect([output, denied, here.sandbox.state().kind, existsSync(join(other, "running.json"))]).toEqual([
    "ended\n",
    undefined,
    "active",
    true,
  ]);
  expect((await here.run("echo again")).output).toBe("again\n");
});

const attack = (home: string) => `cd ${home}
ln -s .tool way; ln -s $PWD/.tool other
for folder in .tool way other dotfiles/tool .TOOL; do
  echo x > $folder/evil; mkdir -p $folder/hooks; echo x > $folder/hooks/evil; echo x > $folder/settings.json
done
mv .tool gone; rm -rf .tool; mkdir .tool; echo x > .tool/evil; mv dotfiles moved; mkdir -p dotfiles/tool; echo x > dotfiles/tool/evil
cd ..; mv home gone; mkdir -p home/.tool; echo x > home/.tool/evil`;

const linked = (home: string) => {
  mkdirSync(join(home, "dotfiles"));
  renameSync(join(home, ".tool"), join(home, "dotfiles/tool"));
  symlinkSync("dotfiles/tool", join(home, ".tool"));
};

inSandbox.each(
  places.flatMap(
    ([, cwd]) =>
      [
        ["is there", cwd!, () => {}, () => {}],
        ["is at the end of a link", cwd!, linked, () => {}],
        ["was removed before the command", cwd!, () => {}, (home: string) => rmSync(join(home, ".tool"), { recursive: true })],
      ] as const,
  ),
)("no command writes into one that %s, from %s", async (_, cwd, prepare, later) => {
  const here = await world(cwd, prepare);
  const own = realpathSync(join(here.home, ".tool"));
  later(here.home);
  const settings = () => existsSync(join(own, "settings.json")) && readFileSync(join(own, "settings.json"), "utf8");
  const before = settings();
  const { output } = await runWhile(here, attack(here.home), () => {});
  expect([output.includes("ended\n"), settings(), here.sandbox.state().kind]).toEqual([true, before, "active"]);
  expect(readdirSync(own)).toEqual(before === false ? ["sandbox"] : ["sandbox", "settings.json"]);
  expect(existsSync(join(here.home, ".tool/evil"))).toBe(false);
});
