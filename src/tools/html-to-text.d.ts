// html-to-text brings no types. What we use of it.
declare module "html-to-text" {
  export function convert(html: string, options: Record<string, unknown>): string;
}
