// The messages of the protocol over stdin and stdout, one a line. A line that cannot be read is answered, and the next one is read.
import type { AnyMessage, RequestError, Stream } from "@agentclientprotocol/sdk";
import { type RequestLine, requestLines } from "../request-lines.ts";
import type { World } from "../world.ts";

/** Room for the largest document that a model reads, as base64. */
const maxMessageBytes = 32 * 1024 * 1024;

/** `onLost`: the editor does not read any more. */
export function lineStream({ stdin, stdout }: Pick<World, "stdin" | "stdout">, errors: typeof RequestError, onLost: () => void): Stream {
  const write = async (message: unknown) => {
    stdout.write(`${JSON.stringify(message)}\n`);
    if ((await stdout.drained()) === "closed") onLost();
  };
  const lines = requestLines(stdin, maxMessageBytes);
  const readable = new ReadableStream<AnyMessage>({
    async pull(controller) {
      for (;;) {
        const { value: line, done } = await lines.next();
        if (done) return controller.close();
        const read = messageIn(line, errors);
        if (!("problem" in read)) return controller.enqueue(read.message);
        await write({ jsonrpc: "2.0", id: null, error: read.problem.toErrorResponse() });
      }
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return { readable, writable: new WritableStream<AnyMessage>({ write }) } as Stream;
}

function messageIn(line: RequestLine, errors: typeof RequestError): { message: AnyMessage } | { problem: RequestError } {
  if (line.kind === "too_long")
    return { problem: errors.invalidRequest(undefined, `a message has at most ${maxMessageBytes} bytes, and this one has ${line.bytes}`) };
  if (line.kind === "not_utf8") return { problem: errors.parseError(undefined, "the message is not UTF-8") };
  let message: unknown;
  try {
    message = JSON.parse(line.text);
  } catch {
    return { problem: errors.parseError(undefined, "the message is not JSON") };
  }
  if (typeof message === "object" && message !== null && !Array.isArray(message)) return { message: message as AnyMessage };
  return { problem: errors.invalidRequest(undefined, "a message is one JSON object") };
}
