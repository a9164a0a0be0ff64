// Images and PDF documents for a model: recognized by their bytes rather than their names, and refused here if the provider would refuse
// them. Limits: https://docs.anthropic.com/en/docs/build-with-claude/vision and …/pdf-support

import { inflateSync } from "node:zlib";
import { plural } from "../../wording/figures.ts";

/** A block of a message; it costs more tokens than its text suggests. */
export type Media = {
  type: "image" | "document";
  source: { type: "base64"; media_type: ImageType | "application/pdf"; data: string };
};
type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** `shows`: what it is, in a few words. The reason continues a sentence. */
export type MediaRead =
  | { kind: "media"; media: Media; shows: string; tokens: number }
  | { kind: "refused"; reason: string }
  | { kind: "text" };

const mostImageBytes = 3_750_000;
const mostPdfBytes = 16_000_000;
const mostPixels = 8_000;
const mostPages = 100;
const tokensOfPage = 2_500;

/** `text`: neither its name nor its bytes are those of an image or a document. */
export function readMedia(name: string, bytes: Buffer): MediaRead {
  if (bytes.subarray(0, 1024).includes("%PDF-")) return readPdf(bytes);
  const type = imageTypeOf(bytes);
  if (type) return readImage(type, bytes);
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (shown.has(ending)) return refuse(`its name ends in .${ending}, but its content is not ${ending === "pdf" ? "a PDF" : "an image"}`);
  if (otherImages.has(ending)) return refuse(`a .${ending} cannot be shown; PNG, JPEG, GIF and WebP can. Convert it first`);
  return { kind: "text" };
}

/** The tokens of all media in a message. */
export function mediaTokens(media: readonly Media[]): number {
  return media.reduce((sum, { source }) => {
    const read = readMedia("", Buffer.from(source.data, "base64"));
    return sum + (read.kind === "media" ? read.tokens : 0);
  }, 0);
}

const shown = new Set(["png", "jpg", "jpeg", "gif", "webp", "pdf"]);
const otherImages = new Set(["bmp", "tif", "tiff", "heic", "heif", "avif", "ico", "psd"]);

function imageTypeOf(bytes: Buffer): ImageType | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))) return "image/png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "image/jpeg";
  const head = bytes.toString("latin1", 0, 12);
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF.{4}WEBP$/s.test(head) ? "image/webp" : undefined;
}

function readImage(type: ImageType, bytes: Buffer): MediaRead {
  const name = { "image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WebP" }[type];
  if (bytes.length > mostImageBytes)
    return refuse(`it is a ${name} of ${megabytes(bytes)}, and at most 3.75 MB can be sent. Make it smaller first`);
  const size = sizeOf[type](bytes);
  if (!size || size.width < 1 || size.height < 1) return refuse(`it begins like a ${name}, but its size cannot be read`);
  const { width, height } = size;
  if (Math.max(width, height) > mostPixels)
    return refuse(`it has ${width}×${height} pixels, and at most ${mostPixels} on a side can be sent. Make it smaller first`);
  const tokens = Math.min(1_600, Math.ceil((width * height) / 750));
  const media: Media = { type: "image", source: { type: "base64", media_type: type, data: bytes.toString("base64") } };
  return { kind: "media", media, shows: `${name}, ${width}×${height}`, tokens };
}

type Size = { width: number; height: number } | undefined;

const sizeOf: Record<ImageType, (bytes: Buffer) => Size> = {
  "image/png": (bytes) =>
    bytes.length < 33 || bytes.toString("latin1", 12, 16) !== "IHDR"
      ? undefined
      : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) },
  "image/gif": (bytes) => (bytes.length < 14 ? undefined : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  "image/jpeg": jpegSize,
  "image/webp": webpSize,
};

/** ISO/IEC 10918-1, B.1.1.4: reads segment after segment, up to one that begins a frame. */
function jpegSize(bytes: Buffer): Size {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function webpSize(bytes: Buffer): Size {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

function readPdf(bytes: Buffer): MediaRead {
  if (bytes.length > mostPdfBytes) return refuse(`it is a PDF of ${megabytes(bytes)}, and at most 16 MB can be sent. Split it first`);
  const text = bytes.toString("latin1");
  if (/\/Encrypt\s+\d/.test(text)) return refuse("it is a PDF with a password, which cannot be read");
  const pages = pagesIn(text, bytes);
  if (pages === 0) return refuse("it is a PDF without pages, or a damaged one");
  if (pages > mostPages) return refuse(`it is a PDF of ${pages} pages, and at most ${mostPages} can be sent. Split it first`);
  const media: Media = { type: "document", source: { type: "base64", media_type: "application/pdf", data: bytes.toString("base64") } };
  return { kind: "media", media, shows: `PDF, ${plural(pages, "page")}`, tokens: pages * tokensOfPage };
}

const pageObject = /\/Type\s*\/Page(?![A-Za-z])/g;

/** Page objects are in the file itself, or since PDF 1.5 compressed in object streams. */
function pagesIn(text: string, bytes: Buffer): number {
  let pages = text.match(pageObject)?.length ?? 0;
  for (const { 0: begin, index } of text.matchAll(/\/ObjStm\b.{0,400}?stream\r?\n/gs)) {
    const from = index + begin.length;
    pages += unpacked(bytes.subarray(from, text.indexOf("endstream", from))).match(pageObject)?.length ?? 0;
  }
  return pages;
}

const mostUnpacked = 64 * 1024 * 1024;

function unpacked(bytes: Buffer): string {
  try {
    return inflateSync(bytes, { maxOutputLength: mostUnpacked }).toString("latin1");
  } catch {
    return ""; // compressed differently, or damaged: no pages are found in it
  }
}

const megabytes = (bytes: Buffer) => `${(bytes.length / 1_000_000).toFixed(1)} MB`;
const refuse = (reason: string): MediaRead => ({ kind: "refused", reason });
