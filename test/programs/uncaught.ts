// A process in which something fails that nobody waits for. Its argument is what the last resort says.
import { endAtFault } from "../../src/world/standard-streams.ts";

endAtFault(() => JSON.parse(process.argv[2] ?? ""));
setTimeout(() => {}, 60_000);
void Promise.reject(new Error("nobody waits for this"));
