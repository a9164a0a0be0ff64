import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { httpFetch } from "../../../src/edge/model/http-fetch.ts";

it("httpFetch() reads the beginning of an endless error, and drops the rest", async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const server = createServer((_, response) => {
    response.writeHead(500);
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(64 * 1024)));
    };
    response.on("drain", more).on("close", close);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const response = await httpFetch()(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const said = await response.text();
  await closed;
  expect([response.status, said.length]).toEqual([500, 256 * 1024]);
});

it("httpFetch() sends a body in pieces as one with its length", async () => {
  const server = createServer((request, response) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    let received = "";
    request.on("data", (bytes: Buffer) => {
      received += bytes.toString();
    });
    request.on("end", () => response.end(JSON.stringify([length, encoding, received])));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const body = ["one ", "", "two"].map((text) => Buffer.from(text));
  const response = await httpFetch()(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    method: "POST",
    ...({ body } as object),
  });
  expect(await response.json()).toEqual(["7", null, "one two"]);
});
