// The history of lines typed in a project, across all sessions: one JSON string a line, newest last.
import type { BoardDisk } from "../../board/disk.ts";

/** A convenience: a disk that refuses ends no session. */
export interface LineHistory {
  /** Oldest first. */
  load(): string[];
  /** A line that the disk refuses is written with the next one. */
  add(line: string): void;
}

/** The file keeps at least this many lines, and at most twice as many. */
const keptLines = 500;
/** A longer line was pasted and is not kept. */
const longestLine = 10_000;

/** `file` is created with mode 0600 by the first line. Several sessions may append to it at once. */
export function createLineHistory(disk: BoardDisk, file: string): LineHistory {
  let unwritten: string[] = [];
  const read = () => (disk.read(file)?.toString("utf8") ?? "").split("\n").flatMap(parsed);
  return {
    load() {
      const lines = read();
      if (lines.length > 2 * keptLines) attempt(() => disk.replace(file, lines.slice(-keptLines).map(formatted).join("")));
      return withoutRepeats(lines).slice(-keptLines);
    },
    add(line) {
      if (line.length > longestLine) return;
      unwritten = [...unwritten, line].slice(-keptLines);
      attempt(() => {
        disk.makeFolder(file.slice(0, file.lastIndexOf("/")));
        disk.append(file, unwritten.map(formatted).join(""));
        unwritten = [];
      });
    },
  };
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // the transcript on the same disk says so
  }
}

function formatted(line: string): string {
  return `${JSON.stringify(line)}\n`;
}

/** Empty for a line that was cut or that another program wrote. */
function parsed(json: string): string[] {
  if (!json.startsWith('"')) return [];
  try {
    const line: unknown = JSON.parse(json);
    return typeof line === "string" ? [line] : [];
  } catch {
    return []; // a line that was cut when its process was killed
  }
}

function withoutRepeats(lines: string[]): string[] {
  return lines.filter((line, index) => line !== lines[index + 1]);
}
