import { describe, expect, it } from "vitest";
import { clockTime, duration, elapsedTime, tokens, windowFill } from "../../src/wording/figures.ts";

describe("duration()", () => {
  it("is more precise where it is short", () => {
    expect([850, 1_250, 12_400, 72_000, 7_500_000].map(duration)).toEqual(["850ms", "1.3s", "12s", "1m12s", "2h05m"]);
  });
});

describe("elapsedTime()", () => {
  it("counts whole seconds, none before a clock that was set back", () => {
    expect([-5_000, 900, 9_990, 59_999, 72_400, 3_600_000].map(elapsedTime)).toEqual(["0s", "0s", "9s", "59s", "1m12s", "1h00m"]);
  });
});

describe("clockTime()", () => {
  it("names hours only after the first one", () => {
    expect([-1, 125_900, 3_599_999, 3_725_000].map(clockTime)).toEqual(["00:00", "02:05", "59:59", "1:02:05"]);
  });
});

describe("tokens()", () => {
  it("has three digits at the most", () => {
    expect([950, 8_100, 211_900, 1_250_000].map(tokens)).toEqual(["950", "8.1k", "212k", "1.3M"]);
  });
});

describe("windowFill()", () => {
  it("is empty while the size is unknown", () => {
    expect([windowFill(48_300, 200_000), windowFill(undefined, 200_000), windowFill(950, 1_000_000)]).toEqual([
      "48k of 200k",
      "",
      "950 of 1.0M",
    ]);
  });
});
