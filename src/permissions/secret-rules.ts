// The forms in which providers hand out secrets, one rule a line: what it is called, and what it looks like. Every pattern is linear:
// bounded repeats behind a fixed beginning, so that no text can make it slow. Sources are the providers' own documentation of their formats.

/** The secret is the group of that name where there is one, else the whole match. `near` must stand within 200 characters before it, or behind it on its line. */
export type FormatRule = {
  kind: string;
  pattern: RegExp;
  near?: RegExp;
  /** One of these stands in whatever the pattern finds; without them it has to be looked for. */
  marks?: string[];
};

/** Not in the middle of a word; the letter of an escape (`\\n`, `%3D`) is not part of one. */
const start = "(?<!(?<!\\\\|%[0-9A-Fa-f])[A-Za-z0-9_])";

const rule = (kind: string, pattern: string, { near, marks = marksOf(pattern) }: Pick<FormatRule, "near" | "marks"> = {}): FormatRule => ({
  kind,
  pattern: new RegExp(`${start}(?:${pattern})`, "g"),
  ...(near && { near }),
  ...(marks && { marks }),
});

/** The letters that a pattern begins with, or the alternatives of a group: a text is much sooner searched for those than for the pattern. */
function marksOf(pattern: string): string[] | undefined {
  const [, group, after = ""] = /^\(\?:([\w.|/-]+)\)(.?)/.exec(pattern) ?? [];
  if (group && !/[?*{]/.test(after)) return group.includes(".") ? undefined : group.split("|");
  const [plain = ""] = /^(?:[\w/-]|\\[.$])+/.exec(pattern) ?? [];
  const optional = /^[?*{|]/.test(pattern.slice(plain.length));
  const mark = (optional ? plain.slice(0, -1) : plain).replaceAll("\\", "");
  return mark.length >= 2 && !pattern.slice(plain.length).startsWith("|") ? [mark] : undefined;
}

/** Not followed by more of the same: a token of fixed length is not the beginning of something longer. */
const end = "(?![A-Za-z0-9])";

export const formatRules: FormatRule[] = [
  rule("aws-key-id", `(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${end}`),
  rule("aws-session-token", "(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{80,2000}"),
  rule("aws-bedrock-key", "ABSK[A-Za-z0-9+/]{100,140}={0,2}"),
  rule("aws-mws-key", "amzn\\.mws\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  {
    kind: "aws-secret-key",
    pattern:
      /(?<![A-Za-z0-9/+=_.-])(?=[A-Za-z0-9/+]{0,39}\d)(?=[A-Za-z0-9/+]{0,39}[a-z])(?=[A-Za-z0-9/+]{0,39}[A-Z])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])/g,
    near: /aws|amazon|(?:AKIA|ASIA)[A-Z0-9]{16}|secret.?(?:access.?)?key/i,
  },
  rule("github-token", `gh[pousr]_[A-Za-z0-9]{36,255}${end}`),
  rule("github-token", "github_pat_[A-Za-z0-9_]{50,255}"),
  rule("gitlab-token", "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{20,300}(?:\\.[0-9a-z]{2,}\\.?[0-9a-z]{0,20})?"),
  rule("gitlab-token", "GR1348941[A-Za-z0-9_-]{20,40}"),
  rule("slack-token", "xox[abeoprsc]-[A-Za-z0-9-]{10,250}"),
  rule("slack-token", "xoxe\\.xox[bp]-\\d-[A-Za-z0-9]{100,250}"),
  rule("slack-token", "xapp-\\d-[A-Z0-9]{5,20}-\\d{5,20}-[a-zA-Z0-9]{20,100}"),
  rule("slack-webhook", "hooks\\.slack\\.com/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9+/_-]{30,150})"),
  rule("stripe-key", "(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,250}"),
  rule("stripe-webhook-secret", "whsec_[A-Za-z0-9+/]{24,100}={0,2}"),
  rule("google-api-key", "AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
  rule("google-oauth-secret", "GOCSPX-[A-Za-z0-9_-]{24,40}"),
  rule("google-oauth-token", "ya29\\.[A-Za-z0-9_-]{20,500}"),
  rule("google-oauth-token", "1//0[A-Za-z0-9_-]{40,150}"),
  rule("npm-token", `npm_[A-Za-z0-9]{36}${end}`),
  rule("pypi-token", "pypi-[A-Za-z0-9_-]{50,400}"),
  rule("rubygems-key", "rubygems_[0-9a-f]{48}"),
  rule("clojars-token", "CLOJARS_[a-z0-9]{60}"),
  rule("crates-token", `cio[A-Za-z0-9]{32}${end}`),
  rule("nuget-key", `oy2[a-z0-9]{43}${end}`),
  rule("twilio-key", `SK[0-9a-f]{32}${end}`),
  rule("sendgrid-key", "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}"),
  rule("mailgun-key", `(?:key|pubkey)-[0-9a-f]{32}${end}`),
  rule("mailchimp-key", `[0-9a-f]{32}-us\\d{1,2}${end}`, { marks: ["-us"] }),
  rule("brevo-key", "xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
  {
    kind: "azure-storage-key",
    pattern: /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}==(?![A-Za-z0-9+/=])/g,
    near: /account.?key|shared.?key|storage|azure|cosmos/i,
    marks: ["=="],
  },
  {
    kind: "azure-client-secret",
    pattern: /(?<![A-Za-z0-9~._-])[A-Za-z0-9~._-]{3}\dQ~[A-Za-z0-9~._-]{31,34}(?![A-Za-z0-9~._-])/g,
    marks: ["Q~"],
  },
  { kind: "azure-devops-token", pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g, marks: ["AZDO"] },
  { kind: "azure-signature", pattern: /[?&;]sig=(?<secret>[A-Za-z0-9%+/]{40,120}={0,2})/g, marks: ["sig="] },
  rule("azure-shared-access-key", "SharedAccessKey=(?<secret>[A-Za-z0-9+/]{30,100}={0,2})"),
  rule("heroku-key", "HRKU-[A-Za-z0-9_-]{36,80}"),
  rule("digitalocean-token", `do[opr]_v1_[0-9a-f]{64}${end}`),
  rule("anthropic-key", "sk-ant-[a-z]{2,8}\\d{2}-[A-Za-z0-9_-]{20,200}"),
  rule("openai-key", "sk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{20,250}"),
  rule("openai-key", "sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
  rule("elevenlabs-key", `sk_[0-9a-f]{48}${end}`),
  rule("launchdarkly-key", `(?:sdk|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}${end}`),
  rule("openrouter-key", `sk-or-v1-[0-9a-f]{64}${end}`),
  rule("secret-key", `sk-[A-Za-z0-9]{32,64}${end}`),
  rule("huggingface-token", `(?:hf|api_org)_[A-Za-z0-9]{30,40}${end}`),
  rule("groq-key", `gsk_[A-Za-z0-9]{40,60}${end}`),
  rule("replicate-token", `r8_[A-Za-z0-9]{30,40}${end}`),
  rule("xai-key", `xai-[A-Za-z0-9]{60,100}${end}`),
  rule("perplexity-key", `pplx-[A-Za-z0-9]{40,60}${end}`),
  rule("databricks-token", "dapi[0-9a-f]{32}(?:-\\d)?"),
  rule("shopify-token", `shp(?:at|ca|pa|ss|tka)_[0-9a-fA-F]{32}${end}`),
  rule("square-token", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,45}"),
  rule("square-token", "EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-])"),
  rule("braintree-token", "access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}"),
  { kind: "telegram-token", pattern: /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g, marks: [":AA"] },
  rule("discord-token", "[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}"),
  rule("discord-webhook", "discord(?:app)?\\.com/api/webhooks/\\d{15,22}/(?<secret>[A-Za-z0-9_-]{50,80})"),
  rule(
    "teams-webhook",
    "webhook\\.office\\.com/webhookb2/(?<secret>[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36})",
  ),
  rule("linear-key", `lin_(?:api|oauth)_[A-Za-z0-9]{32,64}${end}`),
  rule("notion-token", `ntn_[A-Za-z0-9]{40,50}${end}`),
  rule("notion-token", `secret_[A-Za-z0-9]{43}${end}`),
  rule("figma-token", "fig[dour]_[A-Za-z0-9_-]{30,60}"),
  rule("grafana-token", "gl(?:c|sa)_[A-Za-z0-9+/_=-]{32,400}"),
  rule("grafana-token", "eyJrIjoi[A-Za-z0-9+/=_-]{40,400}"),
  rule("vault-token", "hv[sbr]\\.[A-Za-z0-9_-]{24,300}"),
  rule("vault-token", `s\\.[A-Za-z0-9]{24}${end}`, { near: /vault/i }),
  rule("terraform-token", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,90}", { marks: [".atlasv1."] }),
  rule("doppler-token", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}"),
  rule("docker-token", "dckr_[op]at_[A-Za-z0-9_-]{20,60}"),
  rule("postman-key", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
  rule("new-relic-key", `NR(?:AK|JS|II|RA|AA)-[A-Za-z0-9]{19,42}${end}`),
  rule("new-relic-key", `[0-9a-f]{36}NRAL${end}`, { marks: ["NRAL"] }),
  rule("sentry-token", "sntry[su]_[A-Za-z0-9+/=_-]{40,400}"),
  rule("planetscale-token", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}"),
  rule("supabase-key", "sbp_[0-9a-f]{40}"),
  rule("supabase-key", "sb_secret_[A-Za-z0-9_-]{20,60}"),
  rule("fly-token", "fo1_[A-Za-z0-9_-]{40,50}"),
  rule("fly-token", "fm[12][ar]?_[A-Za-z0-9+/=_-]{60,500}"),
  rule("pulumi-token", `pul-[0-9a-f]{40}${end}`),
  rule("airtable-token", `pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}${end}`),
  rule("atlassian-token", "AT(?:ATT3|CTT3)[A-Za-z0-9_=-]{60,250}"),
  rule("bitbucket-token", `ATBB[A-Za-z0-9]{28,40}${end}`),
  rule("circleci-token", "CCI(?:PAT|PRJ)_[A-Za-z0-9]{15,30}_[0-9a-f]{40}"),
  rule("buildkite-token", `bk(?:ua|at|ct|pt|pat)_[A-Za-z0-9]{30,64}${end}`),
  rule("dropbox-token", "sl\\.(?:u\\.)?[A-Za-z0-9_-]{120,1500}"),
  rule("facebook-token", `EAA[MC][A-Za-z0-9]{60,250}${end}`),
  rule("mapbox-token", "sk\\.eyJ[A-Za-z0-9_-]{30,200}\\.[A-Za-z0-9_-]{20,40}"),
  rule("alibaba-key-id", `LTAI[A-Za-z0-9]{12,26}${end}`),
  rule("tencent-key-id", `AKID[A-Za-z0-9]{28,40}${end}`),
  rule("cloudflare-key", "v1\\.0-[0-9a-f]{20,30}-[0-9a-f]{140,160}"),
  rule("dynatrace-token", "dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  rule("jfrog-key", `AKCp[A-Za-z0-9]{60,80}${end}`),
  rule("sourcegraph-token", "sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}"),
  rule("contentful-token", "CFPAT-[A-Za-z0-9_-]{40,50}"),
  rule("shippo-token", "shippo_(?:live|test)_[0-9a-f]{40}"),
  rule("duffel-token", "duffel_(?:live|test)_[A-Za-z0-9_=-]{40,50}"),
  rule("easypost-key", `EZ[AT]K[A-Za-z0-9]{54}${end}`),
  rule("adafruit-key", `aio_[A-Za-z0-9]{28}${end}`),
  rule("typeform-token", "tfp_[A-Za-z0-9_.=-]{40,60}"),
  rule("prefect-key", `pn[ub]_[A-Za-z0-9]{36}${end}`),
  rule("readme-key", `rdme_[a-z0-9]{70}${end}`),
  rule("age-key", "AGE-SECRET-KEY-1[0-9A-Z]{50,60}"),
  rule("onepassword-token", "ops_eyJ[A-Za-z0-9+/=_-]{100,1500}"),
  rule("hubspot-token", "pat-(?:na|eu|ap)\\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  rule("asana-token", "\\d/\\d{10,20}(?:/\\d{10,20})?:[0-9a-f]{32}"),
  rule("langchain-key", "lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
  rule("posthog-key", `phx_[A-Za-z0-9]{40,50}${end}`),
  rule("resend-key", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}"),
  rule("sonar-token", `sq[uap]_[0-9a-f]{40}${end}`),
  rule("jwt", "ey[JI][A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{8,6000}\\.[A-Za-z0-9_-]{16,2000}"),
];
