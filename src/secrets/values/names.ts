// What a name says about its value: `DB_PASSWORD` and `clientSecret` name secrets, `tokenType` and `password_reset_url` do not.

/** How freely the value may be chosen: a password can be any text, a signing phrase often is one, a token is generated. */
export type SecretName = "password" | "phrase" | "token";

/** The kind of secret that the name announces, or undefined. The last words decide, because they say what the thing is. */
export function secretName(name: string): SecretName | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && neutral.has(words.at(-1)!.replace(/\d+$/, ""))) words.pop();
  const last = (words.at(-1) ?? "").replace(/\d+$/, "").replace(plural, "$1");
  const before = words.at(-2) ?? "";
  if (last === "hash" && before === "api") return "token"; // what Telegram calls its application's secret
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

/** Plural names. */
const plural = /^(.*(?:password|passwd|passphrase|key))s$/;

/** Names of what signs sessions and tokens: people write a few words there as often as they generate one. */
const phraseNames =
  /(?:^| )(?:jwt|session|cookies?|app|flask|express|nextauth|signing|hmac|django|better auth) secret(?: key)?s?$|^secret key$/;

/** Salts for hashes and signatures, in settings. */
const settingSalt =
  /^(?:[A-Z0-9]+_)*(?:PASSWORD|AUTH|SECURE|SECURITY|LOGGED_IN|NONCE|APP|SECRET|TOKEN|HASH|HASHIDS|ENCRYPTION)_SALT$|_SK$|^(?:hash_salt|passwordsalt(?:main)?|securitySalt)$/;

/**
 * Names that grant access although no word of them says so: the team header of Honeycomb, and the cookie by which Erlang nodes know each
 * other.
 */
const headerNames = /honeycomb[-_]?team$|^(?:[A-Za-z]+[-_])*(?:erlang|release|node|cluster)[-_]?cookie$/i;

/** Keys that only identify a client to a service, and are published in web pages. */
const publicKeys = /(?:^| )(?:application server|(?:pusher|soketi|ably|reverb|echo)(?: app)?|site|sitekey) key$/;

/** `OPENWEATHER_KEY`, `Fastly-Key`: a setting or header named after a key. */
const settingKey = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_KEY$|^(?:[A-Z][A-Za-z]+-)+Key$/;

/** Whether a text contains any word of such a name. Most do not, and checking each of their names takes ten times as long. */
export function mayNameSecrets(text: string): boolean {
  return stems.test(text) || pat.test(text) || /_SALT|_SK|securitySalt|_?[Cc]ookie|COOKIE|[Hh]oneycomb|HONEYCOMB/.test(text);
}

/** Personal access token: the short form occurs in a thousand other words, such as `path`. */
const pat = /[Pp]at(?![a-z])|PAT/;

/** `awsSecretAccessKey`, `AWS_SECRET_ACCESS_KEY` and `aws-secret-access-key` have the same words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-zñ0-9]+/)
    .filter(Boolean);
}

const set = (words: string) => new Set(words.split(" "));

/** Words that may follow the noun without changing its meaning. */
const neutral = set(
  "value val string str plain plaintext raw text base64 b64 encoded prod production dev development stage staging live local default current old new backup primary secondary main master temp tmp hex base override literal v x",
);

const passwords = set(
  "password sshpass contraseña senha wachtwoord passwd pwd pw pass passe passphrase passcode passwort kennwort userpass dbpass mysqlpass pgpass rootpw requirepass masterauth bindpw storepass keypass remotepass localpass smtppass mailpass ftppass adminpass rootpass authpass ldappass psk srcstorepass deststorepass pepper",
);
const tokens = set(
  "secret secrets token tokens apikey apitoken authtoken accesstoken credential credentials cred creds pat auth authtok authkey accesskey secretkey privatekey appsecret mnemonic sessionid jwt bearer",
);
/** The shortest part of each secret name. Parts so short that they occur in other words are searched for separately. */
const stems = new RegExp(shortest(["key", "private", "hash", ...passwords, ...tokens].filter((word) => word !== "pat")).join("|"), "i");

function shortest(words: string[]): string[] {
  return words.filter((word, at) => !words.some((other, otherAt) => word.includes(other) && (word !== other || otherAt < at)));
}

const keyKinds = set(
  "preshared validation des blowfish ingestion upgrade team hex priv signer master fernet enc api access secret private encryption signing auth master account shared storage session service license licence deploy server app application consumer hmac jwt cookie client crypto cipher aes des security webhook admin write ingest subscription integration user instrumentation bearer token ssh host signature sign root rest ikey host2 functions function primary secondary maps translate openai stripe sendgrid twilio datadog gemini google anthropic mailgun algolia",
);

/** Words for keys that only look something up. */
const lookupKeys = set(
  "idempotency surrogate websocket socket request correlation trace commit object row lookup content unique nonce node routing map s3 etag group dedup option query metadata context provider constants storage state user session item event hot",
);

/** `FIELD_ENCRYPTION_KEY` encrypts a field: before these nouns, other words say only what the key belongs to. */
const ownsSecret =
  /(?:encryption|signing|cookie validation) key$|(?:api|access|auth|client|app|webhook) (?:key|secret|token)$|secret(?: key)?$/;
const owners = set(
  "registry file dir directory cache index column partition url uri field type label prompt path name message csrf xsrf hash reset validation next prev max mask design translation title page pagination locale registry cookie special",
);
/** Words for places, before a password. */
const places = set("registry file dir directory cache index url uri");
const nobody = set("");

/** Words that make a name harmless: a public key is not secret, nor is what counts, names or measures secrets. */
const disarming = set(
  "public pub publishable existing fake mock dummy example sample placeholder hash hashed digest checksum fingerprint sha md5 sha1 sha256 sha512 integrity etag csrf xsrf tokenizer regex pattern label hint prompt error message title description invalid missing expired forgot reset min max minimum maximum length count num type kind field column header prefix suffix url uri path file filename dir directory name names expiry expires expiration ttl timeout policy required enabled disabled visible valid validator validation strength input placeholder cancellation design next prev previous page pagination continuation eos bos pad unk mask vocab special sort partition cache foreign index translation locale registry",
);
