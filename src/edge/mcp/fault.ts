// The faults of a connection, in the form of the port.
import type { LinkFault } from "../../mcp/link.ts";

/** `reason` continues "the server …". */
export const fault = (kind: LinkFault["fault"], reason: string): LinkFault => Object.assign(new Error(reason), { fault: kind });
