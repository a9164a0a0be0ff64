import { expect, it } from "vitest";
import { eventsOf } from "../../../src/edge/model/server-sent-events.ts";

const text =
  '\uFEFFevent: a\ndata: {"é": "漢"}\n\n: a comment\nid: 7\ndata:two\ndata: lines\n\ndata\n\nevent: none\n\ndata:  blank\n\ndata: cut';
const expected = ['{"é": "漢"}', "two\nlines", " blank"];

async function read(pieces: Buffer[]): Promise<string[]> {
  const found: string[] = [];
  for await (const events of eventsOf(stream(pieces))) found.push(...events);
  return found;
}

async function* stream(pieces: Buffer[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

it.each(["\n", "\r\n", "\r"])("events whose lines end with %j are the same wherever the bytes are cut", async (end) => {
  const bytes = Buffer.from(text.replaceAll("\n", end));
  for (let at = 0; at <= bytes.length; at++) expect(await read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
  expect(await read(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected);
});
