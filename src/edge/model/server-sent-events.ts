// The data of a stream of events, read without a promise for each line: a long reply has thousands of events.
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

/** For each piece of the bytes, the data of the events that end in it. An event that the end of the stream cuts is not among them. */
export async function* eventsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const piece of pieces) {
    const text = rest + decoder.decode(piece, { stream: true });
    // The half of a line end is not told from a whole one.
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
