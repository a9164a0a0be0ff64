#!/usr/bin/env node
// A display driver for kitty: each teammate is a tab, and our mark is a variable in the environment of its window. kitty needs
// `allow_remote_control yes` and `listen_on unix:…` in kitty.conf. Settings that use it: docs/displays.md.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const markVariable = "TEAM_DISPLAY_MARK";

const given = JSON.parse(readFileSync(0, "utf8"));
const calls = { open, state, focus, label, close };
const answer = calls[process.argv[2]]?.();
if (answer === undefined) fail(`unknown call ${process.argv[2]}`);
process.stdout.write(`${JSON.stringify(answer)}\n`);

function open() {
  const { mark, name, argv, cwd } = given;
  const tab = ["--type=tab", "--keep-focus", "--tab-title", name, "--cwd", cwd, "--env", `${markVariable}=${mark}`];
  return { id: kitty("launch", ...tab, ...argv).trim() };
}

function state() {
  const all = windows();
  if (all === undefined) return { state: "lost" };
  const mark = markIn(all);
  return mark === undefined ? { state: "gone" } : { state: "open", mark };
}

function focus() {
  if (isOurs()) kitty("focus-window", "--match", `id:${given.id}`);
  return {};
}

function label() {
  if (isOurs()) kitty("set-tab-title", "--match", `window_id:${given.id}`, given.text);
  return {};
}

function close() {
  if (isOurs()) kitty("close-window", "--match", `id:${given.id}`);
  return {};
}

function isOurs() {
  return markIn(windows() ?? []) === given.mark;
}

/** The mark in the window of that id: undefined if there is no such window, "" if it is not one of ours. */
function markIn(all) {
  const found = all.find(({ id }) => String(id) === given.id);
  return found && (found.env[markVariable] ?? "");
}

/** Every window of every tab; undefined if kitty itself has ended. */
function windows() {
  const { status, stdout, stderr } = remote("ls");
  if (status === 0) return JSON.parse(stdout).flatMap(({ tabs }) => tabs.flatMap((tab) => tab.windows));
  if (/no such file|no listen on socket|refused/i.test(stderr)) return undefined;
  return fail(stderr);
}

function kitty(...args) {
  const { status, stdout, stderr } = remote(...args);
  if (status !== 0) fail(stderr || `kitty @ ${args[0]} ends with ${status}`);
  return stdout;
}

function remote(...args) {
  const to = process.env.KITTY_LISTEN_ON;
  if (!to) fail("KITTY_LISTEN_ON is not set: start the team inside kitty, with `listen_on` in kitty.conf");
  const ended = spawnSync("kitty", ["@", "--to", to, ...args], { encoding: "utf8" });
  return ended.error ? fail(ended.error.message) : ended;
}

function fail(why) {
  process.stderr.write(`${String(why).trim()}\n`);
  process.exit(1);
}
