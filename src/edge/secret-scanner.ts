// The maintained secret scanner: the only file that uses @secretlint, which is loaded with the first text that may contain a secret.

import type { Scanner } from "../secrets/secrets.ts";
import type { Found } from "../secrets/values/assignments.ts";

/** Rules that find names of accounts and users rather than secrets, or that our own rules cover with more context. */
const leftOut = new Set(["@secretlint/secretlint-rule-filter-comments"]);

export function secretScanner(): Scanner {
  let loading: Promise<(text: string) => Promise<Found[]>> | undefined;
  return async (text) => {
    if (!marks.test(text)) return [];
    loading ??= load();
    return (await loading)(text);
  };
}

/**
 * Everything that the scanner's rules can find (version 12.0.0, the preset's 24 rules) contains one of these: running them all takes a
 * hundred times longer than checking that most texts contain none.
 */
const marks = new RegExp(
  [
    ..."A3T AKIA AGPA AIDA AROA AIPA ANPA ANVA ASIA".split(" "),
    ..."secret_?access_?key account PRIVATE.KEY x-oauth-basic _authToken npm_ xox[bpaor]- xapp- hooks\\.slack\\.com ://".split(" "),
    ..."sk-proj sk-svcacct sk-admin T3BlbkFJ sk-ant- gsk_ hf_ lin_api_ ntn_ SG\\. shp(?:pa|ca|at|ss)_".split(" "),
    ..."gh[pousr]_ github_pat glpat- glc_ glsa_ ops_ey hv[sbr]\\. vc[piark]_ dapi dckr_pat_ figd_".split(" "),
  ].join("|"),
  "i",
);

/** Some of its rules include the name in the match; the name in `AWS_SECRET_ACCESS_KEY=…` must stay. */
const nameBefore = /^["']?[\w.-]*(?:secret|token|password|key)[\w.-]*["']?\s*(?:=>?|:(?!\/))\s*["']?/i;

async function load(): Promise<(text: string) => Promise<Found[]>> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const config = { rules: [{ id: "@secretlint/secretlint-rule-preset-recommend", rule: creator, options: {} }] };
  return async (content) => {
    const { messages } = await lintSource({
      source: { content, filePath: "text", ext: "", contentType: "text" },
      options: { noPhysicFilePath: true, config },
    });
    const shift = content.startsWith("\uFEFF") ? 1 : 0; // the scanner counts from after a byte order mark
    return messages
      .filter(({ ruleId, type }) => type === "message" && !leftOut.has(ruleId))
      .map(({ ruleId, range: [start, end] }) => ({
        kind: ruleId.replace(/^.*secretlint-rule-/, ""),
        start: start + shift + (nameBefore.exec(content.slice(start, end))?.[0].length ?? 0),
        end: end + shift,
      }));
  };
}
