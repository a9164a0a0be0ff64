// Counts what a connection carries while it does, so that a session that is killed has recorded it.
import type { Socket } from "node:net";
import type { Carried } from "../../agent/ports/network-port.ts";

const everyMs = 1_000;

/** Records the connection now, each second in which it has carried bytes, and at its end: also when the returned function says so. */
export function metered(socket: Socket, record: (carried: Carried) => void): () => void {
  let [sent, received] = [socket.bytesWritten, socket.bytesRead];
  record({ sent, received });
  const note = () => {
    const [written, read] = [socket.bytesWritten, socket.bytesRead];
    if (written + read > sent + received) record({ sent: written - sent, received: read - received, more: true });
    [sent, received] = [written, read];
  };
  const timer = setInterval(note, everyMs).unref();
  const end = () => {
    clearInterval(timer);
    note();
  };
  socket.once("close", end);
  return end;
}
