// Answers every question of a team that it finds, as fast as it can, until a file named stop appears. Prints which answers were accepted.
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { openRequests } from "../../src/board/messages/requests.ts";
import { clock } from "../../src/edge/clock.ts";
import { disk } from "../../src/edge/disk/disk.ts";
import { processes } from "../../src/edge/processes/processes.ts";
import { answerSchema, questionSchema } from "../../src/permissions/questions/question.ts";

export type RequestRace = { folder: string; stop: string; name: string };

const { folder, stop, name }: RequestRace = JSON.parse(process.argv[2] ?? "");
const table = processes();
const lives = (asker: Parameters<typeof table.liveness>[0]) => table.liveness(asker).kind !== "gone";
const requests = openRequests({ disk, clock, lives }, folder, { question: questionSchema, answer: answerSchema });

const won: string[] = [];
let lost = 0;
while (!existsSync(stop)) {
  for (const { id } of requests.pending()) {
    const settled = requests.answer(id, { kind: "no", reason: name }, "command");
    if (settled?.won) won.push(id);
    else lost++;
  }
  await setImmediate();
}
process.stdout.write(JSON.stringify({ won, lost }));
