import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { programPlaces } from "../../../src/edge/processes/program-places.ts";
import { programFolder, scratchFolder } from "../../scratch.ts";

/** The folder of the real programs, so that no program of a test is in a folder above the temporary one. */
const system = dirname(realpathSync(execFileSync("bash", ["-c", "command -v ls"], { encoding: "utf8" }).trim()));

function put(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), "#!/bin/sh\n");
  chmodSync(join(folder, name), 0o755);
}

it("programPlaces() finds what a shell would run, and says which programs an agent could have put there", () => {
  const cwd = join(scratchFolder(), "repository");
  put(join(cwd, "node_modules/.bin"), "ls");
  writeFileSync(join(cwd, "node_modules/.bin", "cat"), "not a program\n");
  symlinkSync(join(system, "wc"), join(cwd, "node_modules/.bin", "wc"));
  const within = programPlaces(`${cwd}/node_modules/.bin:${system}`, [cwd]);
  expect(["ls", "cat", "wc", "no-such-program"].map((name) => within(name))).toEqual(["within", "elsewhere", "within", "elsewhere"]);
  expect(programPlaces(`node_modules/.bin:${system}`, [cwd])("cat")).toBe("within");
  expect(programPlaces(`${system}:node_modules/.bin`, [cwd])("cat")).toBe("elsewhere");
});

it("programPlaces() counts what a program starts by name: tar and scripts", () => {
  const cwd = join(scratchFolder(), "repository");
  put(join(cwd, "bin"), "gzip");
  const within = programPlaces(`${cwd}/bin:${system}`, [cwd]);
  expect(["tar", "zcat", "cat", "git"].map((name) => within(name))).toEqual(["within", "within", "elsewhere", "elsewhere"]);
});

it("programPlaces() counts what env would find for a script", () => {
  const cwd = join(scratchFolder(), "repository");
  put(join(cwd, "bin"), "python3");
  const scripts = programFolder({
    pip: "#!/usr/bin/env python3\n",
    gem: "#! /usr/bin/env -S A=1 python3 -u\n",
    npm: "#!/usr/bin/env bash\n",
    fixed: "#!/usr/bin/python3\n",
    odd: '#!/usr/bin/env -S "python3"\n',
  });
  const found = (path: string) => ["pip", "gem", "npm", "fixed", "odd"].map((name) => programPlaces(path, [cwd])(name));
  expect(found(`${cwd}/bin:${scripts}:${system}`)).toEqual(["within", "within", "elsewhere", "elsewhere", "within"]);
  expect(found(`${scripts}:${system}`)).toEqual(["elsewhere", "elsewhere", "elsewhere", "elsewhere", "elsewhere"]);
});

it("programPlaces() counts the repository around a working directory, and a link from elsewhere into it", () => {
  const top = scratchFolder();
  mkdirSync(join(top, ".git"));
  mkdirSync(join(top, "web"));
  put(join(top, "bin"), "cat");
  expect(programPlaces(`${top}/bin:${system}`, [join(top, "web")])("cat")).toBe("within");
});

it("programPlaces() judges a link in a temporary folder by its target, if that is root's own program of the same name", () => {
  const links = scratchFolder();
  put(links, "head");
  symlinkSync(join(system, "wc"), join(links, "wc"));
  symlinkSync(join(system, "wc"), join(links, "ls"));
  symlinkSync(join(links, "head"), join(links, "tail"));
  const within = programPlaces(`${links}:${system}`, ["/no/such/repository"]);
  expect(["wc", "ls", "head", "tail"].map((name) => within(name))).toEqual(["elsewhere", "within", "within", "within"]);
});

it("programPlaces() counts a program that the command itself may put where agents write", () => {
  const cwd = join(scratchFolder(), "repository");
  mkdirSync(cwd, { recursive: true });
  symlinkSync(join(cwd, "tools"), join(dirname(cwd), "linked"));
  mkdirSync(join(cwd, "tools"));
  const within = programPlaces(`${cwd}/bin:${dirname(cwd)}/linked:/no/such/place:${system}`, [realpathSync(cwd)]);
  const made = [join(realpathSync(cwd), "bin/ls"), join(realpathSync(cwd), "tools/cat"), "/no/such/place/wc"];
  const isMade = (path: string) => made.includes(path);
  expect(["ls", "cat", "wc", "head"].map((name) => within(name, isMade))).toEqual(["within", "within", "elsewhere", "elsewhere"]);
});
