// Secrets that a command passes to a secret store, a setting or a service: under a name, or as its only argument.

import { isSecretValue } from "../values/values.ts";
import { type ContextRule, named, passwordFits, tokenFits } from "./context-rule.ts";

export const storeRules: ContextRule[] = [
  {
    kind: "token",
    keywords: ["secret"],
    pattern: /\bsecret\s{1,4}set\s[^\n|;]{0,100}?(?:--body|-b)[ =]["']?(?<secret>[^\s"']{8,300})/g,
    accepts: ({ secret }) => isSecretValue(secret!, "token", "in configuration"),
  },
  {
    kind: "token",
    keywords: ["put-parameter", "put-secret-value", "create-secret"],
    pattern:
      /\b(?:put-parameter|put-secret-value|create-secret)\s[^\n]{0,300}?--(?:value|secret-string)[ =]["']?(?<secret>[^\s"'${]{8,400})/g,
    accepts: passwordFits,
  },
  {
    kind: "token",
    keywords: ["wandb", "snyk", "cypress", "authorize-account", "ngrok", "vault login", "authtoken"],
    pattern:
      /\b(?:wandb login|snyk auth|cypress run[^\n]{0,80}?--key|b2 (?:account-)?authorize(?:-account)?\s\S{8,40}|authtoken|vault login)\s{1,3}["']?(?<secret>[A-Za-z0-9_+/.-]{20,200})/g,
    accepts: tokenFits,
  },
  {
    kind: "secret",
    keywords: [
      "vault kv",
      "vault write",
      "config:set",
      "secrets set",
      "http post",
      "http put",
      "http patch",
      "http get",
      "https post",
      "https put",
      "xh ",
      "http -",
      "setenv",
      "variables ",
    ],
    pattern:
      /\b(?:vault (?:kv put|write)|config:set|secrets set|(?:http|https|xh)(?: -\S{1,20})? (?:GET|POST|PUT|PATCH|DELETE)|eb setenv|variables (?:--)?set)(?<list>\s[^\n|;]{4,400})/g,
    each: /(?<=[\s"'])(?<name>[\w.-]{2,60}):?=["']?(?<secret>[^\s"'$&<{]{4,300})/g,
    accepts: named,
  },
];
