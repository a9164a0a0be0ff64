import { describe, expect, it } from "vitest";
import { keptOutput, type OutputStore } from "../../src/tools/output.ts";

const room = { headBytes: 4, tailBytes: 4 };

/** A store in memory. */
function store() {
  const files: { text: string; ended: boolean }[] = [];
  const outputs: OutputStore = {
    folder: "/outputs",
    begin() {
      const file = { text: "", ended: false };
      files.push(file);
      return {
        path: `/outputs/${files.length}`,
        append(bytes) {
          file.text += bytes.toString();
        },
        end() {
          file.ended = true;
        },
      };
    },
  };
  return { outputs, files };
}

function kept(chunks: string[], outputs?: OutputStore): string {
  const output = keptOutput(room, outputs);
  for (const chunk of chunks) output.add(Buffer.from(chunk));
  return output.text();
}

describe("keptOutput()", () => {
  it("keeps of a progress line what a terminal would still show, and no carriage return at an end", () => {
    const output = keptOutput({ headBytes: 100, tailBytes: 100 });
    output.add(Buffer.from("\r10%\r100%\r\nwindows\r\n\u001b[31mred\u001b[0m\n"));
    expect(output.text()).toBe("100%\nwindows\nred\n");
  });

  it("keeps all of a short output, and writes no file for it", () => {
    const { outputs, files } = store();
    expect(kept(["abc", "def", "gh"], outputs)).toBe("abcdefgh");
    expect(files).toEqual([]);
  });

  it("keeps the beginning and the end of a long one, and puts all of it into a file", () => {
    const { outputs, files } = store();
    const text = kept(["abcdef", "ghijklmn", "opq", "rstuv"], outputs);
    expect(text).toBe("abcd\n[… 14 bytes cut; the whole is in /outputs/1: Grep it, or Read it in parts …]\nstuv");
    expect(files).toEqual([{ text: "abcdefghijklmnopqrstuv", ended: true }]);
  });

  it("says how to see all of it when there is no file", () => {
    expect(kept(["abcdefghijkl"])).toBe("abcd\n[… 4 bytes cut; send the output to a file to see all of it …]\nijkl");
  });

  it("leaves no part of a character at either side of the cut", () => {
    expect(kept(["abc€defgh", "ijk€"])).toMatch(/^abc\n\[… \d+ bytes cut; .* …\]\nk€$/);
  });

  it("removes colours and carriage returns before line ends", () => {
    expect(kept(["\u001B[1mok"])).toBe("ok");
    expect(kept(["a\r\nb"])).toBe("a\nb");
  });
});
