// Notices about files that other agents have created: given to an agent once, in its next turn.
import { inLine } from "../wording/others-words.ts";
import type { Input } from "./events.ts";
import type { Mail } from "./session/session.ts";

/** `by`: the creator. */
export type NewFile = { path: string; by: string };

export type NewFilesOrder = {
  /** The other agents, as a sentence names them. */
  others: "workers" | "teammates";
  /** The files that they have created so far. */
  made: () => readonly NewFile[];
  /** Whether the file is there now; by its path below the working directory. */
  exists: (path: string) => boolean;
  /** Texts that are already in its conversation. */
  told: readonly string[];
};

/** An inbox that holds only such notices. It wakes nobody. */
export function newFilesMail({ others, made, exists, told }: NewFilesOrder): Mail {
  const known = new Set<string>();
  const head = `New files of other ${others}, theirs to change and yours to use:`;
  const isNamedIn = (text: string, path: string) => text.startsWith(head) && text.includes(`\n- ${inLine(path)} (`);
  return {
    take(): Input[] {
      const fresh = made()
        .filter(({ path }) => !known.has(path) && !told.some((text) => isNamedIn(text, path)) && exists(path))
        .slice(0, mostAtOnce);
      for (const { path } of fresh) known.add(path);
      if (fresh.length === 0) return [];
      const text = [head, ...fresh.map(({ path, by }) => `- ${inLine(path)} (${by})`)].join("\n");
      return [{ source: { kind: "harness" }, text, shown: `  new files of other ${others}: ${fresh.map(({ path }) => path).join(", ")}` }];
    },
    recorded() {}, // which are known follows from the conversation itself
  };
}

/** The remaining ones are announced in the next turn. */
const mostAtOnce = 40;
