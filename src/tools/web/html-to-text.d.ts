// html-to-text ships no types: these are for the part that we use.
declare module "html-to-text" {
  export function convert(html: string, options: Record<string, unknown>): string;
}
