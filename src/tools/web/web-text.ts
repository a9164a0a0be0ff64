// Converts a page to text for a model. The only file that uses html-to-text, which is loaded with the first page.

export type PageText = { ok: true; text: string } | { ok: false; reason: string };

export async function pageText(bytes: Buffer, contentType: string): Promise<PageText> {
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  if (!isText(type)) return { ok: false, reason: `it is ${type}, not text. Download it with a command, if that is allowed` };
  if (bytes.subarray(0, 8192).includes(0) && !/utf-?16/i.test(contentType)) return { ok: false, reason: "it is a binary file" };
  const text = decoded(bytes, contentType);
  return { ok: true, text: htmlTypes.has(type) || (type === "" && /^\s*<(!doctype html|html)/i.test(text)) ? await fromHtml(text) : text };
}

const htmlTypes = new Set(["text/html", "application/xhtml+xml"]);

function isText(type: string): boolean {
  return (
    type === "" || htmlTypes.has(type) || /^text\/|[/+](json|xml|yaml|x-yaml|toml|javascript|x-ndjson|jsonl|graphql|sql|x-sh)$/.test(type)
  );
}

/** Uses the charset of the header, then of the page, then UTF-8. */
function decoded(bytes: Buffer, contentType: string): string {
  const own = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.subarray(0, 1024).toString("latin1"))?.[1];
  const label = /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ?? own ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    // An unknown charset.
    return bytes.toString("utf8");
  }
}

/** Limits keep a page of a million nested elements from blocking this thread. */
async function fromHtml(html: string): Promise<string> {
  const { convert } = await import("html-to-text");
  const text = convert(shallow(html), {
    wordwrap: false,
    limits: { maxInputLength: maxHtml, maxDepth: 100, maxChildNodes: 5000, ellipsis: "…" },
    selectors: [
      { selector: "img", format: "skip" },
      { selector: "nav", format: "skip" },
      { selector: "a", options: { ignoreHref: false, hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
  return text.replaceAll(/\n{3,}/g, "\n\n");
}

/** Drops content nested deeper than any real page: parsing takes time quadratic in the depth. */
function shallow(html: string): string {
  let depth = 0;
  for (const tag of html.matchAll(/<(\/?)([a-z][\w-]*)/gi)) {
    if (closedByOthers.has((tag[2] ?? "").toLowerCase())) continue;
    depth = Math.max(0, depth + (tag[1] ? -1 : 1));
    if (depth > maxDepth) return html.slice(0, tag.index);
  }
  return html;
}

const maxDepth = 1000;
/** Elements without an end tag, or whose end tag may be left out. */
const closedByOthers = new Set(
  "area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option optgroup colgroup".split(
    " ",
  ),
);
const maxHtml = 1024 * 1024;
