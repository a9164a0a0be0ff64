// Files whose content is gone after a command.
import { expect, it } from "vitest";
import { lostBy } from "../../../src/shell/uses/leaves-sandbox.ts";
import { analyseCommand } from "../../../src/shell/walk/analyse-command.ts";

const lost = (text: string) => analyseCommand(text).commands.flatMap((command) => lostBy(command).map(({ path }) => path));

it.each([
  "a > x",
  "a >| x",
  "a >& x",
  "a &> x",
  "a 2> x",
  "a 1<> x",
  "{ a; } > x",
  "(a) > x",
  "for i in 1; do a; done > x",
  "while a; do b; done > x",
  "if a; then b; fi &> x",
  "case a in a) b;; esac > x",
  "[[ a ]] > x",
  "f() { a; } > x",
  "a | tee x",
  "rm x",
])("lostBy() names what %s empties", (text) => expect(new Set(lost(text))).toEqual(new Set(["x"])));

it.each(["a >> x", "a &>> x", "{ a; } >> x", "a < x", "a 2>&1", "a >&2", "a 'b > x'", "a | tee -a x"])(
  "lostBy() names nothing of %s",
  (text) => {
    expect(lost(text)).toEqual([]);
  },
);
