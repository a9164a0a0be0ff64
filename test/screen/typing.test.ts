import { expect, it } from "vitest";
import { createTyping } from "../../src/screen/typing.ts";

/** What each key is taken for. A number lets so many milliseconds pass. */
function keys(...steps: (number | "edit" | "submit" | "ask" | "askWithText" | "askInstead" | "key")[]): string[] {
  let ms = 10_000;
  const typing = createTyping(() => ms);
  return steps.flatMap((step) => {
    if (typeof step === "number") ms += step;
    else if (step === "edit" || step === "submit") typing.edited(step === "submit");
    else if (step === "key") return typing.meantFor();
    else typing.asked({ halfTyped: step === "askWithText", instead: step === "askInstead" });
    return [];
  });
}

it("a key answers at once when nobody was typing", () => {
  expect(keys("ask", "key")).toEqual(["question"]);
  expect(keys("edit", 501, "ask", "key")).toEqual(["question"]);
});

it("a line that was just sent is no typing", () => {
  expect(keys("edit", 10, "submit", 20, "ask", "key")).toEqual(["question"]);
});

it("who types on when a question appears goes on in the editor, until a pause", () => {
  expect(keys("edit", 100, "ask", 50, "key", 200, "key", 299, "key", 300, "key", "key")).toEqual([
    "editor",
    "editor",
    "editor",
    "question",
    "question",
  ]);
});

it("half a line in the editor counts as typing however old it is", () => {
  expect(keys("edit", 60_000, "askWithText", 100, "key", 300, "key")).toEqual(["editor", "question"]);
});

it("a key too many does not answer the question that comes next, nor one that took the place of another", () => {
  expect(keys("ask", "key", 20, "askInstead", 30, "key", 300, "key")).toEqual(["question", "nobody", "question"]);
  expect(keys("ask", "key", 200, "ask", 30, "key", 300, "key")).toEqual(["question", "nobody", "question"]);
  expect(keys("ask", 5_000, "askInstead", 299, "key", 300, "key")).toEqual(["nobody", "question"]);
});
