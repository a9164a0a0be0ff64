// What a name says about its value: `DB_PASSWORD` and `clientSecret` name secrets, `tokenType` and `password_reset_url` do not.

/** How freely its value may be chosen: a password can be any text, a phrase for signing often is one, a token is made by a machine. */
export type SecretName = "password" | "phrase" | "token";

/** What its value is when the name is a secret's: the last words decide, since they say what the thing is. */
export function secretName(name: string): SecretName | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && neutral.has(words.at(-1)!.replace(/\d+$/, ""))) words.pop();
  const last = (words.at(-1) ?? "").replace(/\d+$/, "").replace(plural, "$1");
  const before = words.at(-2) ?? "";
  if (last === "hash" && before === "api") return "token"; // what one messenger calls its application's secret
  if (headerNames.test(name)) return "token";
  const whose = ownsSecret.test(words.join(" ")) ? owners : passwords.has(last) ? places : nobody;
  if (words.some((word) => disarming.has(word) && !whose.has(word)) || publicKeys.test(words.join(" "))) return undefined;
  if (settingSalt.test(name)) return "token";
  if (phraseNames.test(words.join(" "))) return "phrase";
  if (passwords.has(last) || /(?:password|passwd|passphrase|passwort|pwd)$/.test(last)) return "password";
  if (tokens.has(last) || /(?:secret|token|apikey|accesskey|secretkey|privatekey)$/.test(last)) return "token";
  if (last === "key" && (keyKinds.has(before) || (before && !lookupKeys.has(before) && settingKey.test(name)))) return "token";
  if (/^(?:key|hex|b64|bytes)$/.test(last) && words.some((word) => word === "secret" || word === "private")) return "token";
  return undefined;
}

/** Of several of them. */
const plural = /^(.*(?:password|passwd|passphrase|key))s$/;

/** What signs sessions and tokens: people write a few words there as often as they let a generator make it. */
const phraseNames =
  /(?:^| )(?:jwt|session|cookies?|app|flask|express|nextauth|signing|hmac|django|better auth) secret(?: key)?s?$|^secret key$/;

/** What is mixed into hashes and signatures, where a setting has it. */
const settingSalt =
  /^(?:[A-Z0-9]+_)*(?:PASSWORD|AUTH|SECURE|SECURITY|LOGGED_IN|NONCE|APP|SECRET|TOKEN|HASH|HASHIDS|ENCRYPTION)_SALT$|_SK$|^(?:hash_salt|passwordsalt(?:main)?|securitySalt)$/;

/** What gives access, although no word of its name says so: the team of one service's requests, and the cookie by which nodes know each other. */
const headerNames = /honeycomb[-_]?team$|^(?:[A-Za-z]+[-_])*(?:erlang|release|node|cluster)[-_]?cookie$/i;

/** Keys by which a service knows who asks, and which stand in pages for everybody. */
const publicKeys = /(?:^| )(?:application server|(?:pusher|soketi|ably|reverb|echo)(?: app)?|site|sitekey) key$/;

/** `OPENWEATHER_KEY`, `Fastly-Key`: a key that a setting or a header is named after. */
const settingKey = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_KEY$|^(?:[A-Z][A-Za-z]+-)+Key$/;

/** Whether a text has any word of such a name: most have none, and to look at each of their names takes ten times as long. */
export function mayNameSecrets(text: string): boolean {
  return stems.test(text) || pat.test(text) || /_SALT|_SK|securitySalt|_?[Cc]ookie|COOKIE|[Hh]oneycomb|HONEYCOMB/.test(text);
}

/** Of a personal access token: short enough to stand in a thousand other words, such as `path`. */
const pat = /[Pp]at(?![a-z])|PAT/;

/** `awsSecretAccessKey`, `AWS_SECRET_ACCESS_KEY` and `aws-secret-access-key` are the same words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-zñ0-9]+/)
    .filter(Boolean);
}

const set = (words: string) => new Set(words.split(" "));

/** What may stand behind the noun without changing what it is. */
const neutral = set(
  "value val string str plain plaintext raw text base64 b64 encoded prod production dev development stage staging live local default current old new backup primary secondary main master temp tmp hex base override literal v x",
);

const passwords = set(
  "password sshpass contraseña senha wachtwoord passwd pwd pw pass passe passphrase passcode passwort kennwort userpass dbpass mysqlpass pgpass rootpw requirepass masterauth bindpw storepass keypass remotepass localpass smtppass mailpass ftppass adminpass rootpass authpass ldappass psk srcstorepass deststorepass pepper",
);
const tokens = set(
  "secret secrets token tokens apikey apitoken authtoken accesstoken credential credentials cred creds pat auth authtok authkey accesskey secretkey privatekey appsecret mnemonic sessionid jwt bearer",
);
/** A part of each name of a secret, as short as it can be; what is short enough to stand in other words is looked for by itself. */
const stems = new RegExp(shortest(["key", "private", "hash", ...passwords, ...tokens].filter((word) => word !== "pat")).join("|"), "i");

function shortest(words: string[]): string[] {
  return words.filter((word, at) => !words.some((other, otherAt) => word.includes(other) && (word !== other || otherAt < at)));
}

const keyKinds = set(
  "preshared validation des blowfish ingestion upgrade team hex priv signer master fernet enc api access secret private encryption signing auth master account shared storage session service license licence deploy server app application consumer hmac jwt cookie client crypto cipher aes des security webhook admin write ingest subscription integration user instrumentation bearer token ssh host signature sign root rest ikey host2 functions function primary secondary maps translate openai stripe sendgrid twilio datadog gemini google anthropic mailgun algolia",
);

/** By which something is found again. */
const lookupKeys = set(
  "idempotency surrogate websocket socket request correlation trace commit object row lookup content unique nonce node routing map s3 etag group dedup option query metadata context provider constants storage state user session item event hot",
);

/** `FIELD_ENCRYPTION_KEY` is what a field is encrypted with: behind these nouns the words before say only whose they are. */
const ownsSecret =
  /(?:encryption|signing|cookie validation) key$|(?:api|access|auth|client|app|webhook) (?:key|secret|token)$|secret(?: key)?$/;
const owners = set(
  "registry file dir directory cache index column partition url uri field type label prompt path name message csrf xsrf hash reset validation next prev max mask design translation title page pagination locale registry cookie special",
);
/** And these before a password. */
const places = set("registry file dir directory cache index url uri");
const nobody = set("");

/** A public key is for everybody; what counts, names or measures secrets is none. */
const disarming = set(
  "public pub publishable existing fake mock dummy example sample placeholder hash hashed digest checksum fingerprint sha md5 sha1 sha256 sha512 integrity etag csrf xsrf tokenizer regex pattern label hint prompt error message title description invalid missing expired forgot reset min max minimum maximum length count num type kind field column header prefix suffix url uri path file filename dir directory name names expiry expires expiration ttl timeout policy required enabled disabled visible valid validator validation strength input placeholder cancellation design next prev previous page pagination continuation eos bos pad unk mask vocab special sort partition cache foreign index translation locale registry",
);
