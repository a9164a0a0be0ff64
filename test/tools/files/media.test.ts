// Images and documents that Read passes to a model, and those it refuses because the provider would. The files are made here, byte by byte.
import { deflateSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { mediaTokens } from "../../../src/tools/files/media.ts";
import { png } from "../../pictures.ts";
import { toolUser, type Use } from "../agent.ts";
import { type Tree, tree } from "../tree.ts";

let folder: Tree;
let use: Use;
beforeEach(async () => {
  folder = tree({});
  use = await toolUser(folder.path);
});
afterEach(() => folder.remove());

async function read(name: string, bytes: Buffer) {
  folder.put(name, bytes);
  return use("Read", { path: name });
}

const jpeg = Buffer.from("ffd8ffe000044a46ffc0000b08002000400101110000ffd9", "hex");
const gif = Buffer.from("GIF89a\x10\0\x08\0\0\0\0;", "latin1");
function webp(): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write("RIFF\x20\0\0\0WEBPVP8X", "latin1");
  bytes.writeUIntLE(639, 24, 3);
  bytes.writeUIntLE(479, 27, 3);
  return bytes;
}
const pdf = (pages: number) =>
  Buffer.from(
    `%PDF-1.4\n${"1 0 obj << /Type /Page /Parent 2 0 R >> endobj\n".repeat(pages)}2 0 obj << /Type /Pages /Count ${pages} >> endobj\n%%EOF`,
  );
function packedPdf(pages: number): Buffer {
  const packed = deflateSync(Buffer.from("<< /Type /Page >>\n".repeat(pages)));
  const begin = Buffer.from(`%PDF-1.5\n5 0 obj << /Type /ObjStm /N ${pages} /Filter /FlateDecode /Length ${packed.length} >> stream\n`);
  return Buffer.concat([begin, packed, Buffer.from("\nendstream endobj\n%%EOF")]);
}

describe("Read", () => {
  it.each([
    ["a.png", png(640, 480), "image/png", "PNG, 640×480", 410],
    ["photo", jpeg, "image/jpeg", "JPEG, 64×32", 3],
    ["b.gif", gif, "image/gif", "GIF, 16×8", 1],
    ["c.webp", webp(), "image/webp", "WebP, 640×480", 410],
    ["d.pdf", pdf(3), "application/pdf", "PDF, 3 pages", 7_500],
    ["e.pdf", packedPdf(2), "application/pdf", "PDF, 2 pages", 5_000],
  ])("shows %s as a block, recognized by its bytes", async (name, bytes, type, shows, tokens) => {
    const result = await read(name, bytes);
    expect(result).toEqual({
      text: `${name}: ${shows}`,
      summary: shows,
      isError: false,
      media: [
        {
          type: type === "application/pdf" ? "document" : "image",
          source: { type: "base64", media_type: type, data: bytes.toString("base64") },
        },
      ],
      sources: [folder.source(name)],
    });
    expect(mediaTokens(result.media ?? [])).toBe(tokens);
  });

  it.each([
    ["none.png", Buffer.from("<html>not found</html>"), "its name ends in .png, but its content is not an image"],
    ["half.png", png(1, 1).subarray(0, 20), "it begins like a PNG, but its size cannot be read"],
    ["cut.jpg", jpeg.subarray(0, 9), "it begins like a JPEG, but its size cannot be read"],
    ["large.png", png(10, 10, 50_000_000), "it is larger than"],
    ["heavy.png", png(10, 10, 4_000_000), "it is a PNG of 4.0 MB, and at most 3.75 MB can be sent. Make it smaller first"],
    ["wide.png", png(9_000, 10), "it has 9000×10 pixels, and at most 8000 on a side can be sent. Make it smaller first"],
    ["scan.tiff", Buffer.from("II*\0"), "a .tiff cannot be shown; PNG, JPEG, GIF and WebP can. Convert it first"],
    ["none.pdf", Buffer.from("hello"), "its name ends in .pdf, but its content is not a PDF"],
    ["empty.pdf", pdf(0), "it is a PDF without pages, or a damaged one"],
    [
      "bomb.pdf",
      Buffer.concat([Buffer.from("%PDF-1.5\n/ObjStm stream\n"), deflateSync(Buffer.alloc(70_000_000))]),
      "it is a PDF without pages",
    ],
    ["long.pdf", pdf(101), "it is a PDF of 101 pages, and at most 100 can be sent. Split it first"],
    [
      "locked.pdf",
      Buffer.concat([pdf(1), Buffer.from("trailer << /Encrypt 9 0 R >>")]),
      "it is a PDF with a password, which cannot be read",
    ],
  ])("refuses %s", async (name, bytes, reason) => {
    const { text, isError, media } = await read(name, bytes);
    expect([isError, media, text]).toEqual([true, undefined, expect.stringContaining(`Cannot read "${name}": ${reason}`)]);
  });
});
