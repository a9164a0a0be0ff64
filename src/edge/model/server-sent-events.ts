// Parses a stream of events without a promise for each line: a long reply has thousands of events.
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

/** For each piece of bytes, yields the data of the events that end in it. An event cut by the end of the stream is dropped. */
export async function* eventsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const piece of pieces) {
    const text = rest + decoder.decode(piece, { stream: true });
    // A carriage return at the end may be half of a line end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    const events: string[] = [];
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      else if (line === "data") data.push("");
      else if (line === "") {
        const whole = data.join("\n");
        data = [];
        if (whole) events.push(whole);
      }
    }
    if (events.length > 0) yield events;
  }
}
