// What a text must contain before a rule searches it: every text in which the rule finds a secret passes.
import { describe, expect, it } from "vitest";
import { secretScanner } from "../../../src/edge/secret-scanner.ts";
import { keywordSearch } from "../../../src/secrets/formats/keyword-search.ts";
import { platformFormats } from "../../../src/secrets/formats/rules.ts";
import { serviceFormats } from "../../../src/secrets/formats/rules-services.ts";
import { contextRules } from "../../../src/secrets/rules/context-rules.ts";
import { mayNameSecrets, secretName } from "../../../src/secrets/values/names.ts";
import { halves, labelled } from "../labelled.ts";

const texts = [...halves, "families" as const].flatMap((half) => labelled(half, 20261121).map(({ text }) => text));

describe("keywordSearch()", () => {
  const keywords = ["a", "ab", "abc", "abd", "bcab", "密", "口令", ":$"];
  const naive = (text: string) =>
    keywords.flatMap((keyword, number) => {
      const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(keyword, at));
      return places.length > 0 ? [[number, places] as const] : [];
    });
  const found = (text: string) => [...keywordSearch(keywords)(text)].toSorted(([one], [other]) => one - other);

  it.each(["", "a", "xab", "abcabdab", "密 口令:$a", "口", "\u00e1bc", "bcabcabd"])(
    "finds what a search for each would find (%j)",
    (text) => {
      expect(found(text)).toEqual(naive(text));
    },
  );

  it("passes over places that are too close to the last one", () => {
    expect([...keywordSearch(["a"], 3)("aaaaaaa")]).toEqual([[0, [0, 3, 6]]]);
    expect([...keywordSearch(["a"], Number.POSITIVE_INFINITY)("xaaa")]).toEqual([[0, [1]]]);
  });
});

describe("the keywords of the rules for secrets", () => {
  it("occur in every finding of a format", () => {
    const without = [...platformFormats, ...serviceFormats].flatMap(({ kind, pattern, keywords }) =>
      texts
        .flatMap((text) => text.match(pattern) ?? [])
        .flatMap((found) => ((keywords?.some((keyword) => found.includes(keyword)) ?? true) ? [] : [kind])),
    );
    expect(without).toEqual([]);
  });

  it("occur in every finding of a context rule", { timeout: 120_000 }, () => {
    const without = contextRules.flatMap(({ pattern, keywords }) =>
      texts
        .flatMap((text) => text.match(pattern) ?? [])
        .flatMap((found) => (keywords.some((keyword) => found.toLowerCase().includes(keyword)) ? [] : [found])),
    );
    expect(without).toEqual([]);
  });

  it("occur in every name that announces a secret", () => {
    const names = new Set(texts.flatMap((text) => text.match(/[A-Za-z_$][\w.$-]{1,80}/g) ?? []));
    expect([...names].filter((name) => secretName(name) && !mayNameSecrets(name))).toEqual([]);
  });

  it("occur in every text in which the maintained scanner finds something", async () => {
    const [gated, whole] = [secretScanner(), secretScanner()];
    const missed: string[] = [];
    for (const text of texts) {
      // with a keyword beside it the scanner receives the whole text
      const found = (await whole(`${text}\nAKIA`)).filter(({ end }) => end <= text.length);
      if (found.length > 0 && (await gated(text)).length === 0) missed.push(text);
    }
    expect(missed).toEqual([]);
  });
});
