// The parts of highlight.js that are used.
export type Engine = {
  getLanguage(name: string): object | undefined;
  /** The code as HTML with a span for each coloured part. */
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};

export function createEngine(): Engine;
