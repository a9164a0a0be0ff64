// Parses a stream of events without a promise for each line: a long reply has thousands of events.
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

/** Given each piece of the bytes in turn, returns the data of the events that end in it. An event cut by the end of the stream is never returned. */
export function eventReader(): (piece: Uint8Array) => string[] {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  return (piece) => {
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
    return events;
  };
}
