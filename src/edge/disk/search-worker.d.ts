// What others use of search-worker.js.
export function clip(text: string, at: number): string;
