// The theme of the screen, which is needed before settings are loaded: from the machine's and the person's own files, as plain data.
import { readFileSync } from "node:fs";
import type { Theme } from "../screen/style.ts";

const themes: readonly unknown[] = ["auto", "light", "dark", "ansi", "none"] satisfies Theme[];

/** `files`: the strongest first. A file that cannot be understood says nothing here; loading the settings reports it. */
export function ownTheme(files: readonly string[]): Theme {
  for (const file of files) {
    try {
      const { theme } = JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, "")) as { theme?: unknown };
      if (themes.includes(theme)) return theme as Theme;
    } catch {
      // Absent, or not JSON.
    }
  }
  return "auto";
}
