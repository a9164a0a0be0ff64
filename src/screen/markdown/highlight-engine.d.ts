// What is used of highlight.js.
export type Engine = {
  getLanguage(name: string): object | undefined;
  /** The code as HTML, with a span for what is coloured. */
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};

export function createEngine(): Engine;
