#!/usr/bin/env node
// A display driver for GNU screen: each teammate is a screen session of its own, named by our mark. Settings that use it: docs/displays.md.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const given = JSON.parse(readFileSync(0, "utf8"));
const calls = { open, state, focus, label, close };
const answer = calls[process.argv[2]]?.();
if (answer === undefined) fail(`unknown call ${process.argv[2]}`);
process.stdout.write(`${JSON.stringify(answer)}\n`);

function open() {
  const { mark, name, argv, cwd } = given;
  const { status, stderr } = spawnSync("screen", ["-dmS", mark, "-t", name, ...argv], { cwd, encoding: "utf8", env: withoutOwn() });
  if (status !== 0) fail(stderr || "screen cannot be started");
  // screen returns before its session is listed; one that never is has ended already
  for (const until = Date.now() + 3000; Date.now() < until; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)) {
    const id = sessions().find((session) => markOf(session) === mark);
    if (id !== undefined) return { id };
  }
  return { id: `0.${mark}` };
}

function state() {
  return sessions().includes(given.id) ? { state: "open", mark: markOf(given.id) } : { state: "gone" };
}

/** Inside screen a window with the teammate opens; elsewhere there is no window to open. */
function focus() {
  const own = process.env.STY;
  if (isOurs() && own) screen("-S", own, "-X", "screen", "-t", given.id, "env", "-u", "STY", "screen", "-x", given.id);
  return {};
}

function label() {
  if (isOurs()) screen("-S", given.id, "-X", "title", given.text);
  return {};
}

function close() {
  if (isOurs()) screen("-S", given.id, "-X", "quit");
  return {};
}

/** A session is `1234.name`; screen takes the beginning of a name for the whole, so that only the exact one counts here. */
function isOurs() {
  return sessions().includes(given.id) && markOf(given.id) === given.mark;
}

function markOf(session) {
  return session.slice(session.indexOf(".") + 1);
}

/** `screen -ls` ends with 1 when there are none. */
function sessions() {
  const { stdout = "" } = spawnSync("screen", ["-ls"], { encoding: "utf8", env: withoutOwn() });
  return [...stdout.matchAll(/^\t(\d+\.\S+)\t(?!.*\(Dead)/gm)].map(([, session]) => session);
}

function screen(...args) {
  const { status, stdout, stderr } = spawnSync("screen", args, { encoding: "utf8", env: withoutOwn() });
  if (status !== 0) fail(stderr || stdout || "screen refuses");
}

/** In a session of the person's, screen would open a window there. */
function withoutOwn() {
  return { ...process.env, STY: undefined };
}

function fail(why) {
  process.stderr.write(`${String(why).trim()}\n`);
  process.exit(1);
}
