// The second step at a place, sent there over the link and run by the loader (src/places/loader.ts) as the body of a function with the
// parameters `require`, `process` and `rest`, the bytes that came behind it. It takes an order, sees that this very program is in the folder,
// and becomes it. Every answer is one line of JSON.
const { createHash, randomUUID } = require("node:crypto");
const fs = require("node:fs");
const { homedir } = require("node:os");
const { dirname, join } = require("node:path");
const { PassThrough } = require("node:stream");
const { gunzipSync } = require("node:zlib");

let arrived = rest;
let onArrival = () => {};
const onData = (bytes) => {
  arrived = Buffer.concat([arrived, bytes]);
  onArrival();
};
const onEnd = () => process.exit(0);
process.stdin.on("data", onData).on("end", onEnd).resume();

const until = (find) =>
  new Promise((resolve) => {
    onArrival = () => {
      const size = find();
      if (size === undefined) return;
      onArrival = () => {};
      const taken = arrived.subarray(0, size);
      arrived = arrived.subarray(size);
      resolve(taken);
    };
    onArrival();
  });
const line = async () => JSON.parse(await until(() => (arrived.includes(10) ? arrived.indexOf(10) + 1 : undefined)));
const bytes = (size) => until(() => (arrived.length >= size ? size : undefined));
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

/** The same bytes as are hashed at home: a line with the files, then their contents. */
function hashIn(folder) {
  const list = fs.readFileSync(join(folder, "files.json"));
  const hash = createHash("sha256").update(list);
  for (const [path] of JSON.parse(list)) hash.update(fs.readFileSync(join(folder, path)));
  return hash.digest("hex");
}

function isThere(folder, program) {
  try {
    return hashIn(folder) === program;
  } catch {
    return false; // incomplete, or not there at all
  }
}

function unpack(packed, at) {
  const all = gunzipSync(packed);
  const start = all.indexOf(10) + 1;
  const write = (path, content, mode) => {
    const file = join(at, path);
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, content, { mode });
  };
  write("files.json", all.subarray(0, start), 0o600);
  let from = start;
  for (const [path, mode, size] of JSON.parse(all.subarray(0, start))) {
    if (path.startsWith("/") || path.split("/").includes("..")) throw new Error(`not a path of the program: ${path}`);
    write(path, all.subarray(from, from + size), mode);
    from += size;
  }
}

/** Only this user may be able to change what runs here. */
function whyNotOurs(folder) {
  const { uid, mode } = fs.statSync(folder);
  if (uid !== process.getuid()) return `it belongs to user ${uid}, and this is user ${process.getuid()}`;
  return mode & 0o022 ? "other users may write to it" : undefined;
}

function refuse(refused, detail) {
  say({ refused, detail: String(detail) });
  process.stdin.destroy();
}

async function receive({ program, at }) {
  const part = `${at}.${randomUUID()}`; // the folder may be on a disk that other machines have too
  try {
    const { size } = await line();
    const packed = await bytes(size);
    fs.rmSync(part, { recursive: true, force: true });
    unpack(packed, part);
    if (hashIn(part) !== program) return refuse("damaged", "its hash is another one");
    // Others may have put it there meanwhile, and run from it.
    if (fs.existsSync(at) && isThere(at, program)) return true;
    fs.rmSync(at, { recursive: true, force: true });
    fs.renameSync(part, at);
    return true;
  } catch (error) {
    fs.rmSync(part, { recursive: true, force: true }); // home ends this process as soon as it has the answer
    if (isThere(at, program)) return true; // another process has put it there meanwhile
    return refuse(error.code === "ENOSPC" || error.code === "EDQUOT" ? "no room" : "not written", error.message);
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
  }
}

async function main() {
  const order = await line();
  const folder = order.folder.startsWith("~/") ? join(homedir(), order.folder.slice(2)) : order.folder;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const why = whyNotOurs(folder);
    if (why) return refuse("folder", why);
  } catch (error) {
    return refuse(error.code === "ENOSPC" || error.code === "EDQUOT" ? "no room" : "folder", error.message);
  }
  Object.assign(process.env, order.env, { TOOL_CONFIG_DIR: join(folder, "state") });
  process.chdir(folder); // a container begins in /, and no program below the working directory is trusted
  const at = join(folder, "program", order.program);
  const had = isThere(at, order.program);
  say({ program: had ? "there" : "missing" });
  if (!had && (await receive({ program: order.program, at })) !== true) return;
  if (!had) say({ program: "there" });
  // A pause between two readers can lose the wish to read on, so the program gets a stream of its own.
  const input = new PassThrough();
  if (arrived.length > 0) input.write(arrived);
  process.stdin.off("data", onData).off("end", onEnd).pipe(input);
  Object.defineProperty(process, "stdin", { value: input });
  process.argv = [process.execPath, join(at, "bin/tool.js"), ...order.words, folder];
  process.execArgv = [];
  require(join(at, "dist/main.cjs"));
}

main().catch((error) => refuse("failed", error.stack));
