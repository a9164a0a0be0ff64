// The processes of agents have no token of a forge.
import { expect, it } from "vitest";
import { forgeTokens, withoutForgeTokens } from "../../../src/edge/forge/forge-tokens.ts";

it("withoutForgeTokens() leaves out the tokens of all forges, and nothing else", () => {
  const rest = { PATH: "/usr/bin", GITHUB_API_URL: "https://api.github.com", GITLAB_HOST: "gitlab.example.org", MY_GITHUB_TOKEN: "x" };
  const tokens = Object.fromEntries(
    Object.values(forgeTokens)
      .flat()
      .map((name) => [name, "t"]),
  );
  expect(Object.keys(tokens)).toEqual(expect.arrayContaining(["GH_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "GITLAB_TOKEN", "FORGEJO_TOKEN"]));
  expect(withoutForgeTokens({ ...rest, ...tokens })).toEqual(rest);
});
