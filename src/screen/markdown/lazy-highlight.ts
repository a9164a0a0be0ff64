// The colours of code, loaded with the first code that is shown. What is printed meanwhile waits, so that everything keeps its order.
import type { Highlight } from "./render.ts";

export interface LazyHighlight {
  /** Undefined until it is loaded, which the first call begins. */
  get(): Highlight | undefined;
  /** Runs it at once, or, while the colours are being loaded, afterwards. */
  after(print: () => void): void;
  /** Waits no longer. */
  now(): void;
}

export function lazyHighlight(): LazyHighlight {
  let highlight: Highlight | undefined;
  let state: "not_loaded" | "loading" | "settled" = "not_loaded";
  const waiting: (() => void)[] = [];
  const now = () => {
    state = "settled";
    for (const print of waiting.splice(0)) print();
  };
  const load = async () => {
    state = "loading";
    try {
      highlight = (await import("./highlight.ts")).createHighlight();
    } finally {
      now(); // code without colours is better than none
    }
  };
  return {
    get() {
      if (state === "not_loaded") load().catch(() => {}); // a damaged installation: then there are no colours
      return highlight;
    },
    after(print) {
      if (state === "loading") waiting.push(print);
      else print();
    },
    now,
  };
}
