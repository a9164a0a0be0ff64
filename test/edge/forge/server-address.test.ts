// Which host gets which token: never one that it was not made for.
import { describe, expect, it } from "vitest";
import { forgeAddress } from "../../../src/edge/forge/forge-address.ts";
import type { Forges } from "../../../src/settings/settings.ts";

type Case = [url: string, env: Record<string, string>, forges: Forges, expected: Record<string, unknown>];

const gitLabTokens = ["GITLAB_TOKEN", "GITLAB_ACCESS_TOKEN"];
const giteaTokens = ["GITEA_TOKEN", "GITEA_SERVER_TOKEN"];

const known: Case[] = [
  ["git@gitlab.com:acme/team/app.git", {}, {}, { api: "https://gitlab.com/api/v4", repository: "acme/team/app", tokens: gitLabTokens }],
  ["ssh://git@altssh.gitlab.com:443/acme/app", {}, {}, { host: "gitlab.com", tokens: gitLabTokens }],
  ["http://gitlab.com/acme/app", {}, {}, { api: "https://gitlab.com/api/v4" }],
  ["https://codeberg.org/acme/app", {}, {}, { product: "Forgejo", api: "https://codeberg.org/api/v1", tokens: ["FORGEJO_TOKEN"] }],
  [
    "https://codeberg.org/acme/app",
    { GITEA_SERVER_URL: "https://codeberg.org" },
    {},
    { tokens: ["GITEA_TOKEN", "GITEA_SERVER_TOKEN", "FORGEJO_TOKEN"] },
  ],
  ["https://gitea.com/acme/app", {}, {}, { product: "Gitea", tokens: giteaTokens }],
  ["https://git.example.org/acme/app", {}, { "git.example.org": "forgejo" }, { kind: "gitea", tokens: ["FORGEJO_TOKEN"] }],
  ["https://git.example.org/acme/app", { GITLAB_HOST: "git.example.org" }, {}, { kind: "gitlab", tokens: gitLabTokens }],
  ["git@git.example.org:acme/app", { GITLAB_HOST: "https://git.example.org:8443/" }, {}, { api: "https://git.example.org:8443/api/v4" }],
  [
    "https://example.org/forge/acme/app",
    { GITEA_INSTANCE_URL: "https://example.org/forge/" },
    {},
    { api: "https://example.org/forge/api/v1", repository: "acme/app" },
  ],
  [
    "https://gitlab.example.org/acme/app",
    {},
    { "gitlab.example.org": "github" },
    { kind: "github", tokens: ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"] },
  ],
];

const refused: Case[] = [
  [
    "https://gitlab.example.org/acme/app",
    {},
    {},
    { reason: expect.stringContaining("GITLAB_HOST=https://gitlab.example.org, or: tool config set forges.gitlab.example.org gitlab") },
  ],
  [
    "https://forgejo.example.org/acme/app",
    {},
    {},
    { reason: expect.stringContaining("tool config set forges.forgejo.example.org forgejo") },
  ],
  [
    "https://gitlab.com/acme/app",
    { GITLAB_HOST: "git.example.org" },
    {},
    { reason: expect.stringContaining("is for git.example.org, which GITLAB_HOST names, and is not sent to gitlab.com") },
  ],
  [
    "https://a.example.org/acme/app",
    { GITLAB_HOST: "b.example.org" },
    { "a.example.org": "gitlab" },
    { reason: expect.stringContaining("not sent to a.example.org") },
  ],
  [
    "https://git.example.org/acme/app",
    { GITLAB_HOST: "http://git.example.org" },
    {},
    { reason: expect.stringContaining("GITLAB_HOST does not begin with https://") },
  ],
  ["https://gitea.com/acme/team/app", {}, {}, { reason: expect.stringContaining("owner/name") }],
  ["https://gitlab.com/acme", {}, {}, { reason: expect.stringContaining("owner/name") }],
];

describe("forgeAddress() of GitLab, Gitea and Forgejo", () => {
  it.each(known)("knows %s with %j and %j", (url, env, forges, expected) => {
    expect(forgeAddress(url, env, forges)).toMatchObject(expected);
  });

  it.each(refused)("refuses %s with %j and %j", (url, env, forges, expected) => {
    expect(forgeAddress(url, env, forges)).toMatchObject({ kind: "none", ...expected });
  });
});
