// Secrets that stand in a phrase of their own: in an address before the @, behind `Authorization:`, in a command's options, in a statement.
import { isPlaceholder } from "./placeholders.ts";
import type { Found } from "./secret-assignments.ts";
import { secretName } from "./secret-names.ts";
import { isSecretValue } from "./secret-values.ts";

/** One of the marks, in small letters, stands in whatever the pattern finds. `fits` sees the groups of the match; without it, a secret is what is no placeholder. */
type Phrase = { kind: string; marks: string[]; pattern: RegExp; fits?: (groups: Record<string, string>) => boolean };

export const phrases: Phrase[] = [
  {
    kind: "password",
    marks: ["auth", "credential", "getconnection", "login", "connect", "pdo"],
    pattern:
      /(?:[Bb]asic_?[Aa]uth\w{0,12}|[Cc]redentials?|getConnection|\blogin|[\w.]{0,40}connect|\bPDO|\bauth\s{0,2}=)\s{0,2}\((?:[^()"'\n]{0,80},\s{0,4})?(?:["'][^"'\n]{1,80}["'],\s{0,4}){1,2}["'](?<secret>[^"'\n\s]{6,200})["']/g,
    fits: ({ secret }) => isSecretValue(secret!, "password", "loose"),
  },
  {
    kind: "password",
    marks: ["@tcp(", "@unix(", "@udp("],
    pattern: /["'`][\w.-]{1,60}:(?<secret>[^\s@"'`:/]{4,200})@(?:tcp|unix|udp)\(/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["password"],
    pattern: /\b(?:PASSWORD|password)\s{0,2}=\s{0,2}N'(?<secret>[^'\n]{4,200})'/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["passw", "secret", "token", "api"],
    pattern: /(?:password|passwd|secret|token|api_?key)["']?:\s{1,2}[|>][+-]?\d?\r?\n[ \t]{1,20}(?<secret>[^\s"'{}]{8,300})(?=\s|$)/gi,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["<("],
    pattern: /<\(\s{0,2}(?:echo|printf)\s{1,4}(?:-n\s{1,4})?["']?(?<secret>[^\s"'$)%]{6,200})["']?\)/g,
    fits: ({ secret }) => isSecretValue(secret!, "password", "loose"),
  },
  {
    kind: "token",
    marks: ["secret"],
    pattern: /\bsecret\s{1,4}set\s[^\n|;]{0,100}?(?:--body|-b)[ =]["']?(?<secret>[^\s"']{8,300})/g,
    fits: ({ secret }) => isSecretValue(secret!, "token", "bare"),
  },
  {
    kind: "address-password",
    marks: ["://"],
    pattern:
      /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/(?<user>[^\s:@[/"'`<>\\]{0,100}):(?!\d{1,5}[/?#])(?<secret>[^\s@"'`<>\\]{4,300})@(?=[\w[.${</-])/g,
    fits: ({ user, secret }) =>
      secret !== user && !isPlaceholder(decoded(secret!)) && !/^(?:pass|pw|pwd|p|user|x|token|secret)$/i.test(secret!),
  },
  {
    kind: "basic-authorization",
    marks: ["authorization"],
    pattern: /authorization["'`\]]{0,2}\s{0,4}[:=,]{1,2}\s{0,4}["'`]{0,2}Basic\s{1,4}(?<secret>[A-Za-z0-9+/_-]{8,500}={0,2})/gi,
    fits: ({ secret }) => basicPair(secret!),
  },
  {
    kind: "basic-authorization",
    marks: ["basic"],
    pattern: /\bBasic\s(?<secret>[A-Za-z0-9+/]{12,500}={0,2})(?![\w+/=])/g,
    fits: ({ secret }) => basicPair(secret!),
  },
  {
    kind: "authorization",
    marks: ["authorization"],
    pattern:
      /authorization["'`\]]{0,2}\s{0,4}[:=,]{1,2}\s{0,4}["'`]{0,2}(?:Bearer|Token|token=|ApiKey|Api-Key|Key|GenieKey|Bot|SSWS|Klaviyo-API-Key)[\s"]{0,4}(?<secret>[A-Za-z0-9._~+/-]{8,3000}={0,2})/gi,
    fits: ({ secret }) => isSecretValue(secret!, "token", "quoted"),
  },
  {
    kind: "authorization",
    marks: ["bearer"],
    pattern: /\bBearer\s{1,4}(?<secret>[A-Za-z0-9._~+/-]{16,3000}={0,2})/g,
    fits: ({ secret }) => /\d/.test(secret!) && isSecretValue(secret!, "token", "quoted"),
  },
  {
    kind: "authorization",
    marks: ["authorization"],
    pattern: /(?<![\w-])authorization["'`]?\s{0,4}:\s{0,4}["'`]?(?<secret>[A-Za-z0-9._~+/-]{20,3000}={0,2})(?=["'`\s]|$)/gi,
    fits: ({ secret }) => /\d/.test(secret!) && isSecretValue(secret!, "token", "quoted"),
  },
  {
    kind: "password",
    marks: ["curl", "wget", "http", "xh"],
    pattern:
      /\b(?:curl|wget|http|https|xh)\b[^\n|;]{0,300}?\s(?:-u|--user|-a|--auth)[ =]?["']?(?<user>[^\s:"'$]{1,100}):(?<secret>[^\s"']{3,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["pass", "token", "secret", "api"],
    pattern:
      /\b(?:password|passwd|passphrase|pass ?code|token|secret|api[ -]key)(?: (?:for|of|to|on)(?: [\w.@-]{1,30}){1,4})?(?: ?[:=] ?| is:? )["'`]?(?<secret>[^\s"'`,;<>(){}[\]|]{8,200})(?=["'`\s.,;]|$)/gi,
    fits: ({ secret }) =>
      /\d.*\d|\d.*[!@#$%^&*]|[!@#$%^&*].*\d/.test(secret!) && isSecretValue(secret!.replace(/[.,]$/, ""), "password", "loose"),
  },
  {
    kind: "seed-phrase",
    marks: ["mnemonic", "seed", "recovery"],
    pattern:
      /(?:mnemonic|seed|recovery)(?:[ _-]?(?:phrase|words|key))?["']?\s{0,4}[:=]\s{0,4}["']?(?<secret>(?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b/gi,
  },
  {
    kind: "query-key",
    marks: ["?", "&"],
    pattern:
      /[?&](?:key|appid|app_id|hapikey|code|auth|subscription-key|access_key|k)=(?<secret>[A-Za-z0-9_/+-]{24,200}={0,2})(?=["'`\s&)<]|$)/g,
    fits: ({ secret }) => isSecretValue(secret!, "token", "quoted") && /\d.*\d/.test(secret!),
  },
  {
    kind: "password",
    marks: ["zip"],
    pattern: /\b(?:zip|unzip|zipcloak)\s[^\n|;]{0,200}?-P\s{0,2}["']?(?<secret>[^\s"']{4,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["7z", "rar"],
    pattern: /\b(?:7z|7za|rar|unrar)\s[^\n|;]{0,200}?\s-(?:p|hp)["']?(?<secret>[^\s"']{4,200})/g,
    fits: passwordFits,
  },
  { kind: "password", marks: ["%"], pattern: /\s(?:-U|--user)[ =]?["']?[\w.\\/-]{1,60}%(?<secret>[^\s"']{4,200})/g, fits: passwordFits },
  {
    kind: "password",
    marks: ["pass:"],
    pattern: /\bpass:(?<secret>[^\s"'`,;]{6,200})/g,
    fits: ({ secret }) => isSecretValue(secret!, "password", "loose"),
  },
  {
    kind: "password",
    marks: [
      "sqlcmd",
      "bcp",
      "osql",
      "mosquitto_",
      "cqlsh",
      "mongo",
      "ldapadd",
      "ldapmodify",
      "ldapwhoami",
      "az",
      "keytool",
      "influx",
      "tsql",
      "psexec",
      "winexe",
    ],
    pattern:
      /\b(?:sqlcmd|bcp|osql|mosquitto_\w{3}|cqlsh|mongo|mongosh|mongodump|ldapadd|ldapmodify|ldapwhoami|az login|keytool|influx|tsql|psexec|winexe)\b[^\n|;]{0,300}?\s(?:-P|-p|-w|-password|-storepass|-keypass)[ =]["']?(?<secret>[^\s"']{6,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["htpasswd"],
    pattern: /\bhtpasswd\s{1,4}-\w{0,8}b\w{0,8}\s{1,4}\S{1,200}\s{1,4}\S{1,100}\s{1,4}["']?(?<secret>[^\s"']{4,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["lftp"],
    pattern: /\blftp\s[^\n|;]{0,100}?-u\s{0,2}["']?[^\s,"']{1,100},(?<secret>[^\s"']{4,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["sqlplus", "expdp", "impdp", "sqlldr"],
    pattern: /\b(?:sqlplus|expdp|impdp|sqlldr)\s{1,4}["']?\w{1,60}\/(?<secret>[^\s@"'/]{4,200})@/gi,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["sp_addlogin"],
    pattern: /\bsp_addlogin\s{1,4}N?'[^']{1,100}',\s{0,4}N?'(?<secret>[^'\n]{4,200})'/gi,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["/user:"],
    pattern: /\bnet\s{1,4}use\s[^\n]{0,200}?\/user:\S{1,100}\s{1,4}(?<secret>[^\s/"']{4,100})/gi,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["/user:"],
    pattern: /\/user:\S{1,100}\s{1,4}\/pass(?:word)?:(?<secret>[^\s/"']{4,100})/gi,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["sshpass"],
    pattern: /\bsshpass\s[^\n|;]{0,40}?-p\s{0,2}["']?(?<secret>[^\s"']{3,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["mysql", "mariadb"],
    pattern: /\b(?:mysql|mysqldump|mysqladmin|mariadb)\s[^\n|;]{0,200}?\s-p["']?(?<secret>[^\s"'-][^\s"']{3,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["redis-cli"],
    pattern: /\bredis-cli\b[^\n|;]{0,200}?\s-a\s{1,2}["']?(?<secret>[^\s"']{4,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["-p", "-w"],
    pattern:
      /\b(?:docker|podman|helm registry|az acr|oc|npm|snyk|twine|ldapsearch)\b[^\n|;]{0,200}?\s(?:-p|-w|--password)\s{1,2}["']?(?<secret>[^\s"']{6,200})/g,
    fits: (groups) => passwordFits(groups) && !/^[\d.:]+(?:\/tcp|\/udp)?$/.test(groups["secret"]!),
  },
  {
    kind: "password",
    marks: ["identified"],
    pattern: /\bIDENTIFIED\s{1,4}(?:WITH\s{1,4}\S{1,40}\s{1,4})?(?:BY|AS)\s{1,4}(?:PASSWORD\s{1,4})?["'](?<secret>[^"'\n]{4,200})["']/gi,
    fits: passwordFits,
  },
  { kind: "password", marks: ["password"], pattern: /\bPASSWORD\s{1,4}\(?["'](?<secret>[^"'\n]{4,200})["']/g, fits: passwordFits },
  {
    kind: "password",
    marks: ["convertto-securestring"],
    pattern: /ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["'](?<secret>[^"'\n]{4,200})["']/gi,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["net"],
    pattern: /\bnet\s{1,4}user\s{1,4}[\w.-]{1,60}\s{1,4}(?!\*\s)(?<secret>[^\s/"']{4,100})(?:\s{1,4}\/add|\s*$)/gim,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["echo"],
    pattern:
      /\becho\s{1,4}["']?(?:[\w.-]{1,40}:)?(?<secret>[^\s"'|$]{6,200})["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4}(?:-S|chpasswd)|chpasswd|docker\s{1,4}login|passwd)/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: [":"],
    pattern: /^(?:[\w.*-]{1,200}):(?:\d{1,5}|\*):[^:\s]{1,100}:[^:\s]{1,100}:(?<secret>[^\s:]{4,200})$/gm,
    fits: passwordFits,
  },
  {
    kind: "key",
    marks: ["define("],
    pattern: /\bdefine\(\s{0,4}["'](?:SECURE_AUTH|AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["'],\s{0,4}(["'])(?<secret>[^\n]{32,120}?)\s{0,4}\1/g,
    fits: ({ secret }) => /\d/.test(secret!) && !isPlaceholder(secret!),
  },
  {
    kind: "secret",
    marks: ["<key>"],
    pattern: /<key>(?<name>[^<\n]{2,80})<\/key>\s{0,80}<string>(?<secret>[^<\s]{4,400})<\/string>/g,
    fits: ({ name, secret }) => {
      const kind = secretName(name!);
      return kind !== undefined && isSecretValue(secret!, kind, "quoted");
    },
  },
  {
    kind: "password",
    marks: ["<pass "],
    pattern: /<Pass encoding="base64">(?<secret>[A-Za-z0-9+/]{4,400}={0,2})<\/Pass>/g,
  },
  {
    kind: "token",
    marks: ["x-api-", "x-auth-", "x-access-", "x-vault-"],
    pattern: /(?<=\s|["'])X-(?:Api-Key|Auth-Token|Api-Token|Access-Token|Vault-Token):["']?(?<secret>[A-Za-z0-9._~+/-]{16,400}={0,2})/gi,
    fits: ({ secret }) => isSecretValue(secret!, "token", "quoted"),
  },
  {
    kind: "token",
    marks: ["ac"],
    pattern: /\bAC[0-9a-f]{32}["']?\s{0,2}[,:]\s{0,2}["']?(?<secret>[0-9a-f]{32})(?![0-9a-f])/g,
  },
  {
    kind: "password",
    marks: ["openssl"],
    pattern: /\bopenssl\s[^\n|;]{0,200}?\s-k\s{1,2}["']?(?<secret>[^\s"']{6,200})/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["jdbc:oracle"],
    pattern: /\bjdbc:oracle:\w{2,8}:\w{1,60}\/(?<secret>[^\s@"'/]{4,200})@/g,
    fits: passwordFits,
  },
  {
    kind: "password",
    marks: ["neo4j"],
    pattern: /\bneo4j[._]auth\s{0,2}[=:]\s{0,2}["']?neo4j\/(?<secret>[^\s"']{4,200})/gi,
    fits: passwordFits,
  },
  {
    kind: "docker-login",
    marks: ['"auth"'],
    pattern: /"auth"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9+/]{8,1000}={0,2})"/g,
    fits: ({ secret }) => basicPair(secret!),
  },
  {
    kind: "npm-login",
    marks: ["_auth", "_password"],
    pattern: /(?:^|[:\s])_(?:auth|password)\s{0,2}=\s{0,2}["']?(?<secret>[A-Za-z0-9+/]{8,500}={0,2})/gm,
    fits: ({ secret }) => !isPlaceholder(secret!),
  },
];

export function findPhrases(text: string): Found[] {
  const small = text.toLowerCase();
  return phrases.flatMap(({ kind, marks, pattern, fits }) => {
    if (!marks.some((mark) => small.includes(mark))) return [];
    return [...text.matchAll(pattern)].flatMap((match) => {
      const groups = match.groups as Record<string, string>;
      const secret = groups["secret"] ?? "";
      if (!(fits ? fits(groups) : !isPlaceholder(secret))) return [];
      const start = match.index + match[0].lastIndexOf(secret);
      return { kind, start, end: start + secret.length };
    });
  });
}

function passwordFits({ secret = "" }: Record<string, string>): boolean {
  return isSecretValue(secret, "password", "quoted");
}

/** `user:password` in base64. */
function basicPair(encoded: string): boolean {
  const [, password] = /^[\x21-\x7e]{0,200}?:([\x20-\x7e]{3,400})$/.exec(Buffer.from(encoded, "base64").toString("latin1")) ?? [];
  return password !== undefined && !isPlaceholder(encoded) && !isPlaceholder(password);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is part of the password
  }
}
