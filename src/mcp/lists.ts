// The lists of servers as they were last seen, kept by the hash of their entry, so that a session can begin without starting a server.
import { createHash } from "node:crypto";
import { z } from "zod";
import type { BoardDisk } from "../board/disk.ts";
import type { Catalog } from "./catalog.ts";
import type { Server } from "./server.ts";

export type Lists = {
  read(name: string, server: Server): Catalog | undefined;
  /** Nothing is lost where it cannot be written: the list is asked for again. */
  keep(name: string, server: Server, catalog: Catalog): void;
};

const kept = z.object({
  version: z.literal(1),
  catalog: z.object({
    tools: z.array(z.object({ name: z.string(), called: z.string(), description: z.string(), schema: z.record(z.string(), z.unknown()) })),
    prompts: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
      }),
    ),
    resources: z.array(z.object({ uri: z.string(), name: z.string(), description: z.string(), isTemplate: z.boolean() })),
    leftOut: z.array(z.string()),
  }),
});

export function keptLists(disk: Pick<BoardDisk, "read" | "replace" | "makeFolder">, configDir: string): Lists {
  const folder = `${configDir}/mcp/lists`;
  const fileOf = (name: string, server: Server) =>
    `${folder}/${createHash("sha256")
      .update(JSON.stringify([name, server]))
      .digest("hex")
      .slice(0, 32)}.json`;
  return {
    read(name, server) {
      try {
        const text = disk.read(fileOf(name, server))?.toString("utf8");
        return text === undefined ? undefined : kept.safeParse(JSON.parse(text)).data?.catalog;
      } catch {
        return undefined; // damaged: the server is asked again
      }
    },
    keep(name, server, catalog) {
      try {
        disk.makeFolder(folder);
        disk.replace(fileOf(name, server), `${JSON.stringify({ version: 1, catalog } satisfies z.infer<typeof kept>)}\n`);
      } catch {
        // Without it the next session asks the server.
      }
    },
  };
}
