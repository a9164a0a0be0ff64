// Draws docs/team.svg: runs the attended demo in a private tmux of 160 by 45 until a teammate has asked, was answered and continues, and
// turns what the terminal shows into SVG text. Run it with `npm run picture`.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { svgOf } from "./terminal-svg.js";

const size = { columns: 160, rows: 45 };
const folder = mkdtempSync(join(tmpdir(), "tool-picture-"));
const teams = { TOOL_EXPERIMENTAL_AGENT_TEAMS: "1", TMPDIR: folder, TMUX_TMPDIR: folder, HOME: join(folder, "home") };
const env = { ...teams, PATH: process.env.PATH, LANG: "C.UTF-8", TERM: "xterm-256color" };
const program = [process.execPath, resolve("bin/tool.js")];
const tmux = (...command) => execFileSync("tmux", ["-u", "-L", "picture", "-f", "/dev/null", ...command], { env, encoding: "utf8" });
const shows = (...options) => tmux("capture-pane", "-p", "-t", "%0", ...options);

mkdirSync(env.HOME);
const demo = ["env", "-u", "TMUX", "-u", "TMUX_PANE", ...program, "team", "--demo"];
tmux("new-session", "-d", "-x", `${size.columns}`, "-y", `${size.rows}`, ...demo, ";", "set-option", "-g", "status", "off");
try {
  const deadline = Date.now() + 120_000;
  while (!isWorthDrawing(shows())) {
    if (Date.now() > deadline)
      throw new Error(`Cannot draw the team: it was not at work within two minutes. The terminal shows:\n${shows()}`);
    await pause(100);
  }
  writeFileSync("docs/team.svg", svgOf(shows("-e"), size));
} finally {
  tmux("set-option", "-g", "remain-on-exit", "on");
  execFileSync(program[0], [program[1], "team", "stop", "--team", "demo"], { env });
  while (tmux("display-message", "-p", "-t", "%0", "#{pane_dead}").trim() !== "1") await pause(100);
  tmux("kill-server");
  rmSync(folder, { recursive: true, force: true });
}

/** A blocked task was taken up again, and a pane shows a change of a file. */
function isWorthDrawing(screen) {
  return /▶ task-\d+ +resumed/.test(screen) && /Write .*\+\d+ −\d+/.test(screen);
}
