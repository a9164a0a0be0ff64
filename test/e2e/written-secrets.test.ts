// A secret that the model itself writes: the tool receives it as written, and nothing that is stored, shown or sent again contains it, but for
// the copy of the written file that /rewind keeps (docs/privacy.md), which only the person can read.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { call, provider } from "../cast.ts";
import { text } from "../messages-api.ts";
import { seeded } from "../process/seeded.ts";
import { draw } from "../secrets/labelled.ts";
import { teamPlace } from "../team-kit.ts";

const token = `ghp_${draw("base62", 36, seeded(23))}`;

it("a token in calls, a refusal and the last message is only in the written file", async () => {
  const place = teamPlace({ asked: true });
  const api = await provider({
    tool: [
      [
        text(`I use ${token}.`),
        call("Write", { path: "token.txt", content: `TOKEN=${token}\n` }),
        call("Bash", { command: `curl -H 'Authorization: token ${token}' http://127.0.0.1:9/` }),
        call("Bash", { command: `echo ${token}` }),
      ].flat(),
      text(`It was ${token}.`),
    ],
  });
  const program = place.warm(["--print", "--output-format", "stream-json", "--permission-mode", "acceptEdits", "Go."], {
    env: api.env,
    input: "",
  });
  await program.ended;
  const kept = readdirSync(place.configDir, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [{ name: entry.name, folder: entry.parentPath, text: readFileSync(join(entry.parentPath, entry.name), "utf8") }] : [],
  );
  const isCopy = ({ folder, name, text }: (typeof kept)[number]) =>
    basename(folder) === "copies" && text === `TOKEN=${token}\n` && (statSync(join(folder, name)).mode & 0o077) === 0;
  // streamed text is shown unfiltered as it arrives, to the user alone
  const printed = `${program.stdout()}\n${program.stderr()}`.split("\n").filter((line) => !line.startsWith('{"type":"text"'));
  expect(kept.map(({ name }) => name)).toContain("sent.jsonl");
  expect({
    written: readFileSync(join(place.repository, "token.txt"), "utf8"),
    kept: kept.filter((file) => file.text.includes(token) && !isCopy(file)).map(({ name }) => name),
    sentAgain: JSON.stringify(api.requests("tool")[1]?.body).includes(token),
    printed: printed.filter((line) => line.includes(token)),
    denied: /"type":"denied"[^\n]*\[secret:github-token:1\]/.test(program.stdout()),
  }).toEqual({ written: `TOKEN=${token}\n`, kept: [], sentAgain: false, printed: [], denied: true });
});
