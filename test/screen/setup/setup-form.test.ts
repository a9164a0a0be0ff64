import { describe, expect, it } from "vitest";
import { type SetupAnswer, setupForm } from "../../../src/screen/setup/setup-form.ts";
import { createStyle } from "../../../src/screen/style.ts";

const given: SetupAnswer = { key: "", helper: "", address: "https://api.example.org", model: "sonnet", autoAllow: true };
const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const [enter, up, down, clear, leave] = ["\r", "\x1b[A", "\x1b[B", "\x15", "\x1b"];
const pasted = (text: string) => `\x1b[200~${text}\x1b[201~`;

function form(from: Partial<SetupAnswer> = {}, sandbox = "works here") {
  const dialog = setupForm({ given: { ...given, ...from }, sandbox: () => sandbox, keyFile: "~/.tool/key.json", style });
  const press = (...keys: string[]) => keys.map((key) => dialog.onKey(key)).at(-1);
  return { press, shown: (width = 80, rows = 20) => dialog.lines(width, rows).map((line) => line.trimEnd()) };
}

describe("setupForm()", () => {
  it("gives what was typed and pasted, without the blanks around it", () => {
    const { press } = form();
    expect(press(pasted(" sk-1 "), down, down, down, clear, "o", "pus", down, " ", enter)).toEqual({
      given: { ...given, key: "sk-1", model: "opus", autoAllow: false },
    });
  });

  it("shows a key as dots, and what the line with the cursor means", () => {
    const { press, shown } = form();
    press("secret");
    expect(shown()).toEqual([
      "",
      "Before the first session: where the model is, and what agents may do.",
      "",
      "❯ Key      ••••••▏  6 characters",
      "           kept in ~/.tool/key.json, which only you can read",
      "  Command",
      "  Address  https://api.example.org",
      "  Model    sonnet",
      "  Sandbox  ❯ commands run without a question  (Space changes it)",
      "           works here",
      "",
      "  Enter tries this with one request and begins · Up, Down: another line · Esc",
      "  leaves",
    ]);
  });

  it.each([
    [[enter], "Type or paste a key, or name a command that prints one."],
    [["k", down, "pass show k", enter], "Give a key or a command, not both: Ctrl-U clears a line."],
    [["two words", enter], "A key has no spaces and no letters with accents. Ctrl-U clears the line."],
    [["k", down, down, clear, "api.example.org", enter], "An address begins with https:// or http://."],
    [["k", up, up, clear, enter], "Name a model, such as sonnet."],
  ])("asks again for a value that cannot be right: %j", (keys, problem) => {
    const { press, shown } = form();
    expect(press(...keys)).toBeUndefined();
    expect(shown().join("\n")).toContain(`✗ ${problem.slice(0, 40)}`);
  });

  it.each([4, 7, 9])("shows the line with the cursor in %i narrow rows, whichever it is", (rows) => {
    const { press, shown } = form();
    press(enter); // a problem takes rows as well
    for (const label of ["Key", "Command", "Address", "Model", "Sandbox"]) {
      expect(shown(40, rows)).toContainEqual(expect.stringMatching(`^❯ ${label} `));
      expect(shown(40, rows)).toHaveLength(rows);
      press(down);
    }
    expect(shown(40, 7)).toContainEqual("  Enter tries it · Up, Down · Esc leaves");
  });

  it("says in 7 rows of 40 columns what each line means, and how to change it", () => {
    const works = "works here: commands write in this folder alone, and reach no host that you have not allowed";
    const { press, shown } = form({}, works);
    press(up);
    expect(shown(40, 7)).toEqual([
      "❯ Sandbox  ❯ commands run without a",
      "           question  (Space changes it)",
      "           works here: commands write in",
      "           this folder alone, and reach",
      "           no host that you have not",
      "           allowed",
      "  Enter tries it · Up, Down · Esc leaves",
    ]);
  });

  it("is left by Esc, bounds a huge paste, and keeps its last rows where there is little room", () => {
    const { press, shown } = form();
    press(pasted("x".repeat(1_000_000)));
    expect(shown(40).join("\n")).toContain(`${"•".repeat(24)}▏  4096 characters`);
    expect(shown(20, 4)).toHaveLength(4);
    expect(press(leave)).toEqual({ given: null });
  });
});
