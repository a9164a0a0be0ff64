// Settings and commands of other programs as values: JSON with comments and a comma at the end, or TOML.
import { type ParseError, parse as parseCommented, printParseErrorCode } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { errorText } from "../../wording/error-text.ts";

export type ParsedFile = { ok: true; value: unknown } | { ok: false; reason: string };

/** By the ending of its name. `reason`: a sentence. */
export function parsedFile(path: string, text: string): ParsedFile {
  if (path.endsWith(".toml")) {
    try {
      return { ok: true, value: parseToml(text.replace(/^\uFEFF/, "")) };
    } catch (error) {
      return { ok: false, reason: `It is not TOML: ${errorText(error).split("\n")[0]}.` };
    }
  }
  const faults: ParseError[] = [];
  const plain = text.replace(/^\uFEFF/, "");
  const value: unknown = parseCommented(plain, faults, { allowTrailingComma: true });
  const [first] = faults;
  if (!first) return { ok: true, value };
  const line = plain.slice(0, first.offset).split("\n").length;
  return { ok: false, reason: `It is not JSON: line ${line}: ${faultWords(printParseErrorCode(first.error))}.` };
}

const faultWords = (code: string) => code.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
