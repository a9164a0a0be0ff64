// The least that echoing a key on a terminal can cost: writes each byte back as it comes: node echo-keys.js.
process.stdin.setRawMode(true);
process.stdout.write("ready");
process.stdin.on("data", (bytes) => process.stdout.write(bytes));
