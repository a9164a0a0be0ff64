// The least that showing a streamed reply can cost: asks the Messages API at a given address and writes the text of each event on the
// terminal as it arrives, once for each typed line: node stream-plain.js <address>.
import { request } from "node:http";
import { createInterface } from "node:readline";

const [address = ""] = process.argv.slice(2);

createInterface({ input: process.stdin }).on("line", () => {
  const sent = request(`${address}/v1/messages`, { method: "POST" }, (answer) => {
    answer.setEncoding("utf8");
    let rest = "";
    answer.on("data", (bytes: string) => {
      const events = (rest + bytes).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const { delta } = JSON.parse(event.slice(event.indexOf("data: ") + 6)) as { delta?: { text?: string } };
        if (delta?.text) process.stdout.write(delta.text);
      }
    });
  });
  sent.end("{}");
});
