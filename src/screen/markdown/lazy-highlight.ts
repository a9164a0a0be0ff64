// Loads syntax highlighting with the first code that is shown. Output is held back meanwhile, so that it keeps its order.
import type { Highlight } from "./render.ts";

export interface LazyHighlight {
  /** Undefined until it is loaded; the first call starts loading. */
  get(): Highlight | undefined;
  /** The same without starting to load. */
  loaded(): Highlight | undefined;
  /** Runs `print` at once, or after loading if that is in progress. */
  after(print: () => void): void;
  /** Stops waiting. */
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
      now(); // code without colours is better than no code
    }
  };
  return {
    get() {
      if (state === "not_loaded") load().catch(() => {}); // without colours if the installation is damaged
      return highlight;
    },
    loaded: () => highlight,
    after(print) {
      if (state === "loading") waiting.push(print);
      else print();
    },
    now,
  };
}
