// Values that are not secrets although a secret could be there: placeholders, references to the real secret, names, paths, hashes.

/** Whether this value is only a placeholder, whatever its name says. */
export function isPlaceholder(value: string): boolean {
  return isStandIn(value) || mostlyCounted(value);
}

/** Like `isPlaceholder`, for values in a provider's format: there even a row of letters counts as a key. */
export function isStandIn(value: string): boolean {
  return (
    template.test(value) || reference.test(value) || marked.test(value) || crossed.test(value) || monotonous(value) || onlyWords(value)
  );
}

/** `${X}`, `$X`, `$(…)`, `{{ x }}`, `<x>`, `%X%`, `#{x}`, `@x@`, `__X__`, `[x]`, `{x}`, `%s`, `%(x)s`, `$X/y`, `$x->y`, `:x`. */
const template =
  /‹|\$\{|\$\(|\{\{|\}\}|#\{|<%|%>|^\$[A-Za-z_][\w.:-]*$|^\$[A-Z][A-Z0-9_]*[/:.]|^\$\w+(?:->|\[|::)|^%\(\w+\)s|^\$\$\w+\$\$$|^\$\$[A-Za-z_]\w*$|^\$[A-Z_]\w*\$$|^<.*>$|^&lt;|^%\w+(?:\([\w:.]+\))?%$|^%\{|^\$\w+\{|^\{%|^<<.*>>$|^@[\w.-]+@$|^__\w+__$|^\[[^\]]*\]$|^\{[^}]*\}$|^%[sdv]$|^:[a-z_]+$|^\(.*\)$/i;

/** A reference to the real secret, or something derived from it. */
const reference =
  /^(?:process\.env|os\.|env[.:(]|ENV[.[(]|getenv|System\.|secrets?\.|vars?\.|var\.|config[.[]|settings\.|self\.|this\.|data\.|local\.|module\.|ref:|(?:azure)?key[vV]ault:|secretref:|vault:|op:\/\/|ssm:|sm:|gcp:|aws:|awssm:|arn:|keyring:|file:|keychain:|bws:|doppler:|![A-Za-z_:/]+(?:\s|$)|ENC\[|\{cipher\}|\{SSHA|\{SHA|\{MD5|\{bcrypt|\$2[abxy]?\$|\$argon2|\$apr1\$|\$[156]\$|pbkdf2|scrypt:|sha\d{1,3}[:$-]|md5[:$]|bcrypt|projects\/|kms:|@Microsoft\.|ref\+|awssec|gcpsec|azkv:|akv:|hashivault:|secretsmanager:|parameterstore:|berglas:|chamber:|bitwarden:|bw:|lastpass:|lpass:|pass:\/\/|keepass:|gopass:|conjur:|cred:|envvar:|from_env|env\/|encrypted:|sealed:|AgB[A-Za-z0-9+/]{100})/;

/** Each is long enough, or delimited, so that it cannot occur in a random key. */
const marked =
  /example|change.?(?:me|it|this)|placeholder|your[-_ ]|(?<![A-Za-z0-9])your\w|your(?:own|api|key|token|secret|access|pass|git|aws|account|real|actual|app|name|user|value|client|bot|webhook|org|project|domain|server|host|db|database|company)|(?:^|[^A-Za-z0-9])(?:dummy|sample|fake)|(?:dummy|sample|fake)(?:$|[^A-Za-z0-9])|insert[-_ ]|replace[-_ ]?(?:me|with|this)|redacted|removed|masked|notreal|not[-_ ]?(?:a[-_ ]?)?(?:real|secret|valid|set)|foobar|lorem|fixme|to-?do\b|(?<![A-Za-z0-9])(?:put|enter)[-_ ]|<[a-z_ -]+>|\.\.\.|…|\*{3}|•{3}|#{4}|_{4}|-{6}|0{9}|goes[-_ ]?here|sflkxwrjsmekkf2qt4fwpmejf36pok6yjv_adqssw5c|^Eby8vdM02xNOcqFlqUwJ|^C2y6yDjf5\/R\+ob0N8A7C/i;

/** Text that was crossed out: x's in one case, delimited or at length. */
const crossed = /(?<![A-Za-z0-9])(?:x{4}|X{4})|(?:x{4}|X{4})(?![A-Za-z0-9])|x{6}|X{6}/;

/** Two different characters, or one repeated most of the time. */
function monotonous(value: string): boolean {
  const body = value.replace(/^[A-Za-z]{2,8}[_-](?=.{4})/, "");
  return new Set(body.toLowerCase().replace(/[-_.: ]/g, "")).size <= 2;
}

/** At least half of it is a run of the alphabet, of digits or of a keyboard row; what is next to a shorter run may be a secret. */
function mostlyCounted(value: string): boolean {
  const rest = value.replaceAll(counted, "").replaceAll(rows, "");
  return rest.length < value.length && (rest.length <= value.length / 2 || rest.length < 5);
}

const counted =
  /12345678|^0?123456?$|987654321|abcdefgh|hgfedcba|qwertyui|^qwerty$|deadbeef|cafebabe|asdf|a1b2c3d4|abcd1234|1a2b3c4d|abc123|(?:^|[^a-z])abc[-_]?def|^(?:0123|1234|4321)/gi;

const rows =
  /0123|1234|2345|3456|4567|5678|6789|7890|abcd|bcde|cdef|defg|efgh|fghi|ghij|hijk|ijkl|jklm|klmn|lmno|mnop|nopq|opqr|pqrs|qrst|rstu|stuv|tuvw|uvwx|vwxy|wxyz/gi;

/** Nothing but words that describe a value, and a number or two. */
function onlyWords(value: string): boolean {
  const pieces = value
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  const digits = value.replace(/\D/g, "");
  const few = digits.length <= 1 || /^(?:12|123|1234|12345|123456|321|11|00|000|42|007|69)$/.test(digits);
  if (pieces.length === 0) return value.length < 6 || /^[^A-Za-z0-9]*$/.test(value);
  return few && pieces.every((piece) => madeOfWords(piece));
}

/** `mysecretkey` consists of three of the words. */
function madeOfWords(piece: string): boolean {
  if (words.has(piece)) return true;
  for (let cut = 2; cut <= piece.length - 2; cut++) {
    if (words.has(piece.slice(0, cut)) && madeOfWords(piece.slice(cut))) return true;
  }
  return false;
}

const words = new Set(
  `password passwd pass pwd passphrase secret secrets token tokens key keys api apikey auth access private public client user username usr admin root guest login hunter development production
  my your our the a an is in of to for and or not no none null nil undefined true false yes off on empty blank string str text type value val var any int bool boolean number object array
  test tests testing tester demo mock stub foo bar baz qux quux here there some this that set get with from by new old default local localhost dev prod staging
  change me it please todo tbd na xxx xx yyy zzz x hidden unknown optional required super very top strong safe secure basic bearer oauth jwt db database postgres postgresql mysql mariadb
  redis mongo mongodb rabbitmq minio elastic sa app application service server name id field input label form hash salt encrypted keyboard cat encryption signing session cookie
  wrong right correct bad good passed failed pending skipped ok invalid valid incorrect confirm confirmation current reset forgot show hide enter again repeat retype minimum characters must be at least
  proxy personal github gitlab slack stripe aws google azure openai anthropic npm docker env environment variable config generated random long value real live ask inherit passwort kennwort
  contraseña senha wachtwoord lozinka salasana heslo parole credential credentials web webhook one two three first second other another same different`
    .split(/\s+/)
    .filter(Boolean),
);
