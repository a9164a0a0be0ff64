import { expect, it } from "vitest";
import { eventReader } from "../../../src/edge/model/server-sent-events.ts";

const text =
  '\uFEFFevent: a\ndata: {"é": "漢"}\n\n: a comment\nid: 7\ndata:two\ndata: lines\n\ndata\n\nevent: none\n\ndata:  blank\n\ndata: cut';
const expected = ['{"é": "漢"}', "two\nlines", " blank"];

function read(pieces: Buffer[]): string[] {
  return pieces.flatMap(eventReader());
}

it.each(["\n", "\r\n", "\r"])("events whose lines end with %j are the same wherever the bytes are cut", (end) => {
  const bytes = Buffer.from(text.replaceAll("\n", end));
  for (let at = 0; at <= bytes.length; at++) expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
  expect(read(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
});
