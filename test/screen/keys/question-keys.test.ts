import { expect, it } from "vitest";
import { actOf, type Situation } from "../../../src/screen/keys/question-keys.ts";

const keys = [
  "1",
  "4",
  "v",
  "y",
  "\x1b[200~1\x1b[201~",
  "\x1b[B",
  "\x1b[C",
  "\r",
  "\x1b",
  "\x1b\x1b",
  "\x03",
  "\x1a",
  "\x04",
  "\x12",
  "\t",
];

it("says what each key does in each situation, and knows no time", () => {
  const acts = (situation: Situation, canShow = true) => keys.map((key) => actOf(key, { situation, choices: 3, canShow })).join(" ");
  expect({
    unseen: acts("unseen"),
    choosing: acts("choosing"),
    "choosing, all is shown": acts("choosing", false),
    listing: acts("listing", false),
    typing: acts("typing"),
    filtering: acts("filtering"),
    viewing: acts("viewing"),
  }).toEqual({
    unseen: "nothing type type type type nothing nothing nothing leave leave pane pane pane pane nothing",
    choosing: "pick type view type type move move take leave leave pane pane pane pane nothing",
    "choosing, all is shown": "pick type type type type move move take leave leave pane pane pane pane nothing",
    listing: "pick type type type type move move take leave leave leave pane pane pane nothing",
    typing: "type type type type type type type take clear clear clear pane type type type",
    filtering: "type type type type type move type take clear clear clear pane type type type",
    viewing: "view view view view view view view view view view view pane view view view",
  });
});
