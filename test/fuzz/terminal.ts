// Hostile text through the real screen into a terminal emulator: whatever agents, files and tools send, the terminal receives only
// sequences that we draw, and the text is visible.
import { setImmediate } from "node:timers/promises";
import { seeded } from "../process/seeded.ts";
import { said, sessionScreen } from "../screen/session-kit.ts";
import { type Chance, cutAnywhere, hostileText, of } from "./hostile-text.ts";

/** Streams per screen: more would only scroll the first ones away. */
const perScreen = 50;
const sizes = [
  [80, 24],
  [40, 12],
  [200, 50],
  [10, 3],
] as const;

/** The problems, one line each, and the number of streams. */
export async function fuzzTerminal({ seed, count }: { seed: number; count: number }): Promise<{ runs: number; problems: string[] }> {
  const problems: string[] = [];
  let runs = 0;
  for (let part = 0; runs < count; part++) {
    const partSeed = seed * 100_003 + part;
    const streams = Math.min(perScreen, count - runs);
    problems.push(...(await oneScreen(partSeed, streams)).map((problem) => `seed ${partSeed}: ${problem}`));
    runs += streams;
    if (problems.length >= 20) break;
  }
  return { runs, problems };
}

async function oneScreen(seed: number, streams: number): Promise<string[]> {
  const chance = seeded(seed);
  const [columns, rows] = of(chance, sizes);
  const { screen, type, tick, lines, written, surprises } = sessionScreen({ columns, rows, env: {} });
  const expected: string[] = [];
  for (let stream = 0; stream < streams; stream++) {
    const mark = `mark${stream}end`;
    expected.push(mark);
    send(chance, { text: hostileText(chance), mark, screen, type });
    if (chance() < 0.3) tick();
    if (stream === 0) await setImmediate(); // the code highlighting loads meanwhile
  }
  screen.close();
  const shown = (await lines()).join("").replaceAll(/\s/g, "");
  const lost = expected.filter((mark) => !shown.includes(mark));
  return [...notOurs(written()), ...surprises.map((what) => `the terminal obeyed: ${what}`), ...lost.map((mark) => `${mark} was lost`)];
}

type Sending = { text: string; mark: string } & Pick<ReturnType<typeof sessionScreen>, "screen" | "type">;

/** Sends it in one of the ways in which foreign text arrives. */
function send(chance: Chance, { text, mark, screen, type }: Sending): void {
  const marked = `${text}\n\n${mark}\n`;
  const ways: (() => void)[] = [
    () => screen.show(said.reply(marked)),
    () => {
      for (const piece of cutAnywhere(marked, chance)) screen.show(said.text(piece));
      screen.show(said.reply(marked));
    },
    () => {
      screen.show(said.started(mark, text, text));
      screen.show(said.ended(mark, { name: "Bash", subject: text, summary: text, text: marked }));
      type("\x12");
    },
    () => {
      const detail = `--- a\n+++ a\n@@ -1,2 +1,2 @@\n-${text.replaceAll("\n", "\n-")}\n+${mark}\n`;
      screen.show(said.ended(mark, { name: text, subject: text, summary: text, detail, isError: chance() < 0.5 }));
    },
    () => {
      screen.show(said.retry(text));
      type(`\x1b[200~${text.replaceAll("\x1b[201~", "")}\x1b[201~`);
      screen.refresh();
      type("\x03");
      screen.show({ type: "notice", level: "warning", text: marked, at: "" });
    },
  ];
  of(chance, ways)();
}

const esc = "\u001b";
/**
 * Erasing from a row down; colours, rows up and down, erasing below, synchronized drawing, the cursor, wrapping, bracketed paste; and line
 * ends.
 */
const ours = new RegExp(
  `\\r${esc}\\[2K${esc}7${esc}\\[1B${esc}\\[J${esc}8|${esc}\\[(?:[\\d;]*m|\\d+[AB]|J|\\?(?:2026|25|7|2004)[hl])|\\r\\n|\\r(?=${esc}\\[(?:\\d+[AB]|J|\\?2026l))`,
  "g",
);
const foreign = /[^\P{C}\p{Cn}\p{Co}]|[\u2028\u2029]/u;

/** What was written besides text and our own sequences. */
function notOurs(bytes: string): string[] {
  const rest = bytes.replaceAll(ours, "");
  const joined = rest.replaceAll(/\p{Extended_Pictographic}(?:\p{Variation_Selector}|\u200d|\p{Emoji_Modifier})*/gu, "");
  const found = foreign.exec(joined);
  if (!found) return [];
  return [`not ours: ${JSON.stringify(joined.slice(Math.max(0, found.index - 30), found.index + 30))}`];
}
