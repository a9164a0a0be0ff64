// Secrets by their place in what makes a client, a login or a user: behind an id, an address or a name, as whose call it is.
import { type ContextRule, looksRandom, passwordFits } from "./context-rule.ts";

/** Any argument, with or without its name; and the text that counts. */
const argument = String.raw`\s{0,8}(?:\w{1,20}\s?[:=]\s?)?(?:[frbu@$]{0,2}"[^"\n]{0,200}"|[frbu@$]{0,2}'[^'\n]{0,200}'|[^"'(),\n]{1,80}(?:\([^()\n]{0,60}\))?)\s{0,4},`;
const text = String.raw`\s{0,8}(?:[frbu@]{0,2}"(?<secret>[^"\s]{4,200})"|[frbu@]{0,2}'(?<other>[^'\s]{4,200})')`;

type Row = [keywords: string, callees: string, before: number];

/** Behind how many arguments of which call a key stands that a service made. */
const keyRows: Row[] = [
  [
    "auth( mac( newmac( auth.create(",
    String.raw`\b(?:oss2|qiniu|oss|q|Qiniu|auth)(?:\.|::|\\)(?:Provider)?Auth|\bAuth\.(?:create|new)|(?:\bnew |= ?)Auth|\b(?:qbox|auth)\.(?:NewMac|New)|\bnew (?:[\w.]{1,30}\.)?Mac|\bAuthV4|\bStsAuth`,
    1,
  ],
  ["getprofile( withaccesskey(", String.raw`\bgetProfile|\bNewClientWithAccessKey`, 2],
  [
    "ossclient obsclient cosclient minioclient minio.new( minio::client oss.new( obs.new( .build( swiftclient minio(",
    String.raw`\b(?:OSS|Oss|OBS|Obs|COS|Cos|Tos|TOS|Bos|Minio|MinIO|Swift)\w{0,10}Client\w{0,8}|\b(?:minio|oss|obs|tos|cos)\.New\w{0,12}|\bOSSClientBuilder\(\)\.build|\bMinio(?:::Client(?:\.new)?)?`,
    2,
  ],
  [
    "oauth twitter set_access_token setaccesstoken setoauthconsumer consumer(",
    String.raw`O[Aa]uth(?:\w{0,2}Handler|\w{0,4}Consumer|Client|\w{0,2}Service|\w{0,2}UserHandler|\w{0,3}Session)?|\bTwitterOAuth|\bset_?[Aa]ccess_?[Tt]oken|\bsetOAuth(?:Consumer|AccessToken)|\bConsumer|\bsetup_twitter_oauth`,
    1,
  ],
  [
    "client( clientv api( sdk( .new( ::new( .create( .configure( .init( connection( gateway( signer( service( exchange( rest( provider( vonage( nexmo( razorpay( cloudinary( factory(",
    String.raw`(?:Client|C[Ll]ientV\d|Api|API|Sdk|SDK|Gateway|Signer|Exchange|Vonage|Nexmo|Razorpay|Cloudinary|Rest|REST|Connection|ClientCredentials?)(?:\.new|::new|\.create|\.configure|\.init)?`,
    1,
  ],
  [
    "client( clientv api( sdk( .new( ::new( .create( cloudinary .config(",
    String.raw`(?:Client|ClientV\d|Api|API|Sdk|SDK)(?:\.new|::new|\.create)?|\b[Cc]loudinary(?:\.config)?`,
    2,
  ],
];

/** And a password that somebody chose. */
const passwordRows: Row[] = [
  [
    "create_superuser create_user createsuperuser createuser add_user adduser createuserwith signinwith registeruser",
    String.raw`\b(?:create_?_?[Ss]uper_?[Uu]ser|create_?[Uu]ser|add_?[Uu]ser|register_?[Uu]ser|createAdmin|create_admin|createUserWithEmailAndPassword|signInWithEmailAndPassword)`,
    2,
  ],
  [
    "createuserwith signinwith createuser create_user add_user adduser authenticate( signin( sign_in( login_user",
    String.raw`\b(?:createUserWithEmailAndPassword|signInWithEmailAndPassword|create_?[Uu]ser|[Aa]dd_?[Uu]ser|authenticate|sign_?[iI]n|logIn|log_in|login_?[Uu]ser|loginAs|UsernamePasswordToken|UserCredentials?|PasswordCredentials?)`,
    1,
  ],
  ["credentialsimpl", String.raw`\bUsernamePasswordCredentialsImpl`, 4],
  ["secret.fromstring", String.raw`\bSecret\.fromString`, 0],
  [
    "database( _connect( imap_open driver( rdriver auth_basic",
    String.raw`\bdatabase|\b(?:odbc|db2|ibase|mssql|sybase|fbird|ifx|ingres|maxdb|cubrid)_p?connect|\bimap_open|\bodbcDriverConnect`,
    2,
  ],
  [
    "jsch getsession tns odbc.connect auth.basic neo4j",
    String.raw`\bAuthTokens\.basic|\bneo4j\.(?:basic_auth|auth\.basic|BasicAuth)|\bbasic_auth`,
    1,
  ],
  ["smtp.start", String.raw`\b(?:Net::SMTP|smtp)\.start`, 4],
  ["userauth_password yagmail .authpassword(", String.raw`\b(?:userauth_password|yagmail\.SMTP|authPassword)`, 1],
  ["open(", String.raw`\b(?:conn|Conn|connection|cn|oConn|adoConn|db|rs)\w{0,6}\.Open`, 2],
];

const clientRow =
  (kind: string, fits: (secret: string) => boolean) =>
  ([keywords, callees, before]: Row): ContextRule => ({
    kind,
    keywords: keywords.split(" "),
    pattern: new RegExp(
      String.raw`(?:${callees})\s{0,2}\(${argument.repeat(before)}(?:\s{0,8}\w{1,20}\s?[:=]\s?)?${text}(?=\s{0,8}[,)])`,
      "g",
    ),
    accepts: ({ secret, other }) => fits((secret ?? other)!),
  });

export const clientRules: ContextRule[] = [
  ...keyRows.map(clientRow("secret", madeByService)),
  ...passwordRows.map(clientRow("password", (secret) => passwordFits({ secret }) && looksRandom(secret))),
  {
    // who signs in at another's: a strategy, an id and a secret
    kind: "secret",
    keywords: ["provider ", "omniauth ", "provider(", "omniauth("],
    pattern:
      /\b(?:provider|omniauth)[ (]\s{0,4}:?["']?\w{2,40}["']?,\s{0,8}(?:"[^"\n]{4,200}"|'[^'\n]{4,200}'|ENV[^,\n]{4,60}),\s{0,8}["'](?<secret>[^"'\s]{12,300})["']/g,
    accepts: ({ secret = "" }) => looksRandom(secret),
  },
  {
    // what a build writes into a program: a type, a name, and a text in a text
    kind: "secret",
    keywords: ["buildconfigfield", "resvalue"],
    pattern:
      /\b(?:buildConfigField|resValue)[ (]{1,2}(?:type\s?[=:]\s?)?["'](?:java\.lang\.)?[Ss]tring["'],\s{0,4}(?:name\s?[=:]\s?)?["'](?<name>\w{3,80})["'],\s{0,4}(?:value\s?[=:]\s?)?(?:"(?:\\"|')?|'"?)(?<secret>[^"'\s\\$]{6,300})/g,
    accepts: ({ name = "", secret = "" }) => namesSecret(name) && looksRandom(secret),
  },
];

function namesSecret(name: string): boolean {
  return /(?:pass(?:word|phrase)?|pwd|secret|token|key|credentials?)$/i.test(name) && !/public|site_?key|publishable/i.test(name);
}

/** So mixed that it is neither a name, an address nor a number by which something is found. */
function madeByService(secret: string): boolean {
  if (!looksRandom(secret) || !/^[\w.~+/=-]{16,200}$/.test(secret)) return false;
  if (/^(?:pk|pub|phc|AC|SCW|AKIA|LTAI|G-|UA-)|^[0-9a-f]{24}$|\.(?:com|io|net|org|json|pem|apps\.\w+\.com)$/.test(secret)) return false;
  return /^[0-9a-f]{20,128}$/i.test(secret)
    ? /\d/.test(secret) && /[a-f]/i.test(secret)
    : /\d/.test(secret) && /[A-Z]/.test(secret) && /[a-z]/.test(secret);
}
