// The whole of a long output is kept in a file, and that file too is without secrets.
import type { OutputStore } from "../../tools/output.ts";
import type { Redactor } from "./redactor.ts";

/** So much is looked at together: a key of many lines lies whole in it, nearly always. */
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
