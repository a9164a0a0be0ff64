// What goes on a command line, in front of real shells.
import { execFileSync, spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { loader, markerOf } from "../../src/places/loader.ts";
import { argvAt, joinsArguments, type Place } from "../../src/places/place.ts";

const place = (more: Partial<Place>): Place => ({ name: "gpu", command: ["ssh", "gpu1"], folder: "/s", ...more });

it("loader is below 2 KB and has nothing that a shell changes between single quotes", () => {
  expect([loader.length < 2_000, /['\\\n!]/.test(loader)]).toEqual([true, false]);
});

it("argvAt() quotes for ssh and for a command that is said to join, and passes words on to all others", () => {
  const words = ["node", "-e", "it's $HOME"];
  expect([
    argvAt(place({}), words),
    argvAt(place({ command: ["srun", "-n1"] }), words),
    argvAt(place({ command: ["mine"], arguments: "joined" }), words),
    argvAt(place({ arguments: "separate" }), words),
    joinsArguments(place({ command: ["/usr/bin/ssh", "x"] })),
  ]).toEqual([
    ["ssh", "gpu1", "node", "-e", "'it'\\''s $HOME'"],
    ["srun", "-n1", ...words],
    ["mine", "node", "-e", "'it'\\''s $HOME'"],
    ["ssh", "gpu1", ...words],
    true,
  ]);
});

const shells = ["sh", "bash", "dash", "zsh", "fish", "tcsh"].filter((shell) => spawnSync(shell, ["-c", "exit"]).status === 0);

it.each(shells)("%s hands the loader on unchanged, and its marker is nothing that set -x prints", (shell) => {
  const [, ...line] = argvAt(place({ command: ["x"], arguments: "joined" }), [process.execPath, "-e", loader, "tool-1f"]);
  const traced = shell === "fish" || shell === "tcsh" ? line.join(" ") : `set -x; ${line.join(" ")}`;
  const { stdout, stderr } = spawnSync(shell, ["-c", traced], { encoding: "utf8", input: "" });
  expect(stdout.split(markerOf("tool-1f"))).toEqual(["", `${JSON.stringify({ node: process.versions.node, terminal: false })}\n`]);
  expect(stderr.includes(markerOf("tool-1f").trim())).toBe(false);
});

it("the loader runs exactly the bytes that it is told, and gives what follows to them", () => {
  const source = 'process.stdin.destroy();process.stdout.write("ran with "+rest.toString())';
  const out = execFileSync(process.execPath, ["-e", loader, "w"], { input: `${source.length}\n${source}and more`, encoding: "utf8" });
  expect(out.split("\n").at(-1)).toBe("ran with and more");
});
