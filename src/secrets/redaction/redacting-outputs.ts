// Redacts the file in which a long output is kept.
import type { OutputStore } from "../../tools/output.ts";
import type { Redactor } from "./redactor.ts";

/** This much is scanned at once, so that a key of many lines is nearly always complete. */
const heldBytes = 256 * 1024;

export function redactingOutputs(store: OutputStore, redactor: Pick<Redactor, "now">): OutputStore {
  return {
    folder: store.folder,
    begin() {
      const file = store.begin();
      if (!file) return undefined;
      let held: Buffer = Buffer.alloc(0);
      const write = (upTo: number) => {
        if (upTo > 0) file.append(Buffer.from(redactor.now(held.toString("utf8", 0, upTo))));
        held = Buffer.from(held.subarray(upTo));
      };
      return {
        path: file.path,
        append(bytes) {
          held = Buffer.concat([held, bytes]);
          if (held.length > heldBytes) write(held.lastIndexOf(10) + 1 || held.length);
        },
        flush: () => write(held.lastIndexOf(10) + 1),
        end: () => write(held.length),
      };
    },
  };
}
