// What a tool takes, as JSON Schema for those who call it.
import { z } from "zod";
import type { AnyTool } from "./tool.ts";

/** Omits that unknown arguments are refused: a call with one is told its name. */
export function inputSchema(tool: Pick<AnyTool, "input">): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.input, {
    io: "input",
    target: "draft-7",
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}
