// Secrets that a command passes to a secret store, a setting or a service: under a name, or as its only argument.

import { isSecretValue } from "../values/values.ts";
import { type ContextRule, passwordFits, secretRule, tokenRule } from "./context-rule.ts";

export const storeRules: ContextRule[] = [
  tokenRule("secret", /\bsecret\s{1,4}set\s[^\n|;]{0,100}?(?:--body|-b)[ =]["']?(?<secret>[^\s"']{8,300})/g, (secret) =>
    isSecretValue(secret, "token", "in configuration"),
  ),
  tokenRule(
    "put-parameter|put-secret-value|create-secret",
    /\b(?:put-parameter|put-secret-value|create-secret)\s[^\n]{0,300}?--(?:value|secret-string)[ =]["']?(?<secret>[^\s"'${]{8,400})/g,
    passwordFits,
  ),
  tokenRule(
    "wandb|snyk|cypress|authorize-account|ngrok|vault login|authtoken",
    /\b(?:wandb login|snyk auth|cypress run[^\n]{0,80}?--key|b2 (?:account-)?authorize(?:-account)?\s\S{8,40}|authtoken|vault login)\s{1,3}["']?(?<secret>[A-Za-z0-9_+/.-]{20,200})/g,
  ),
  {
    ...secretRule(
      "vault kv|vault write|config:set|secrets set|http post|http put|http patch|http get|https post|https put|xh |http -|setenv|variables ",
      /\b(?:vault (?:kv put|write)|config:set|secrets set|(?:http|https|xh)(?: -\S{1,20})? (?:GET|POST|PUT|PATCH|DELETE)|eb setenv|variables (?:--)?set)(?<list>\s[^\n|;]{4,400})/g,
    ),
    each: /(?<=[\s"'])(?<name>[\w.-]{2,60}):?=["']?(?<secret>[^\s"'$&<{]{4,300})/g,
  },
];
