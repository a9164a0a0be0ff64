// Secrets in the arguments of function calls: which argument is secret depends on the function.

import {
  type ContextRule,
  passwordFits,
  passwordNearName,
  passwordRule,
  rulesOf,
  secretRule,
  tokenFits,
  tokenRule,
} from "./context-rule.ts";

/** One argument of a call: a string, a name, or a short expression. */
const argument = String.raw`\s{0,8}(?:[frbu@$]{0,2}"[^"\n]{0,200}"|[frbu@$]{0,2}'[^'\n]{0,200}'|[^"'(),\n]{1,80}(?:\([^()\n]{0,60}\))?)\s{0,4},`;
const text = String.raw`\s{0,8}(?:Some\(|\[\]byte\(|Buffer\.from\(|Encoding\.\w{1,8}\.GetBytes\()?[frbu@]{0,2}(?:"(?<secret>[^"\n]{4,300})"|'(?<other>[^'\n]{4,300})')`;
const called = (callees: string, before: number) => new RegExp(`(?:${callees})\\s{0,2}\\(${argument.repeat(before)}${text}`, "g");

export const callRules: ContextRule[] = [
  passwordRule(
    "getconnection|mysqli|mysql_connect|pdo|dbi->connect|dbi.connect",
    called(String.raw`\bgetConnection|\bmysqli(?:_connect|_real_connect)?|\bmysql_p?connect|\bPDO|\bDBI(?:->|\.)connect`, 2),
  ),
  passwordRule(
    "credential|basicauth|basic_auth|passwordauthentication|authenticationtoken|login|oci_connect|auth(|auth.basic|oracle|oracledb|twilio|oauth1|username_pw_set|httr::authenticate|authorization_basic|setauth|simple_bind",
    called(
      String.raw`\bNetworkCredential|\b(?:UsernamePassword|Basic)\w{0,12}Credentials?|\b[Hh][Tt][Tt][Pp]BasicAuth\w{0,10}|\b[Ss]et_?[Bb]asic_?[Aa]uth|\b[Bb]asic_?[Aa]uth|\bPasswordAuthentication|\bUsernamePasswordAuthenticationToken|\.login|\blogin|\boci_connect|\bsimple_bind(?:_s)?|\.auth|[sS]etAuth|\bauthorization_basic|\busername_pw_set|\bhttr::authenticate|\bauth\.basic|\bftp_login|\b(?:cx_Oracle|oracledb|Oracle)\.connect|\bBasicAuth|\bTwilio|\bOAuth1\w{0,10}|\bsp_addlinkedsrvlogin`,
      1,
    ),
  ),
  passwordRule(
    "ftp.open|ftp_login|database(|auth_password|plainauth|sequelize|connection|connect(|mac(|hmac(|encrypt(|decrypt(|pusher|oauth1",
    called(
      String.raw`\bssh2_auth_password|\bPlainAuth|\bSequelize|\bConnection|(?:\.|::|->)connect|\bcrypto\.mac|\bhash_hmac|\bopenssl_(?:en|de)crypt|\bPusher|\bFTP\.open|\bftp_login|\bdatabase`,
      2,
    ),
    passwordNearName,
  ),
  passwordRule(
    "oauth1|connect(|sp_addlinkedsrvlogin|.bind(",
    new RegExp(
      String.raw`(?:\bOAuth1\w{0,10}\s?\(${argument.repeat(3)}|\.bind\(\s{0,4}["'][^"'\n=]{1,40}=[^"'\n]{1,100}["'],|\.connect\(${argument.repeat(6)}|\bsp_addlinkedsrvlogin\s${argument.repeat(4)})${text}`,
      "g",
    ),
    passwordNearName,
  ),
  secretRule(
    "key|aes.new",
    new RegExp(
      String.raw`(?:\b(?:jwt|JWT|jose|hmac|HMAC)\w{0,6}\.\w{2,10}\([^()\n]{0,160}?\bkey\s{0,2}[=:]|\bAES\.new\(|\b[Kk]ey\s{0,2}[:=]{1,2}\s{0,2}(?:[\w.]{0,40}(?:GetBytes|FromBase64String|fromhex|unhexlify|b64decode|DecodeString|decode)\())${text}`,
      "g",
    ),
    tokenFits,
  ),
  passwordRule(
    "auth",
    new RegExp(String.raw`(?<![A-Za-z])(?:basic_?|http_?)?[Aa]uth["']?\s{0,2}[=:]\s{0,2}[[(]${argument}${text}\s{0,4}[\])]`, "g"),
  ),
  passwordRule(
    "wifi.|ldap_bind|.connect(",
    new RegExp(
      String.raw`(?:\bWiFi\w{0,6}\.(?:begin|softAP)\(${argument}|\bldap_bind\(${argument}${argument}|\.connect\(${argument}\s{0,4}\d{2,5}\s{0,2},${argument})${text}`,
      "g",
    ),
  ),
  secretRule(
    "jwt|jose",
    new RegExp(
      String.raw`\b(?:jwt|JWT|[Jj]son[Ww]eb[Tt]oken|jose)\w{0,12}(?:\.|::|->)(?:sign|verify|encode|decode)\s{0,2}\((?:\s{0,4}\{[^{}\n]{0,200}\}\s{0,4},|${argument})${text}`,
      "g",
    ),
    passwordFits,
  ),
  secretRule(
    "hmac|signingkey|signwith|secretkeyspec|symmetricsecuritykey|signedstring|cookiestore|cookieparser|fernet",
    new RegExp(
      String.raw`(?:\bAlgorithm\.HMAC\d{3}|\bset_?[Ss]igning_?[Kk]ey|\bhmacShaKeyFor|\bSecretKeySpec|\bSymmetricSecurityKey|\bSignedString|\bNewCookieStore|\bcookieParser|\bFernet|\bhmac\.new)\s{0,2}\(${text}`,
      "g",
    ),
    passwordFits,
  ),
  secretRule(
    "hmac|cipher|aes.|signwith|hmac.new(",
    called(
      String.raw`\bcreateHmac|\bcreate(?:Dec|C)ipher(?:iv)?|\bAES\.(?:en|de)crypt|\bHmacSHA\d{1,3}|\bsignWith|\bHMAC\.(?:hex)?digest|\bhmac\.New`,
      1,
    ),
    passwordFits,
  ),
  secretRule(
    "session|jwt|nextauth|auth(",
    /\b(?:session|cookieSession|express-?[Jj]wt|jwt|JwtModule\.register|NextAuth|betterAuth|[Ii]ron[Ss]ession)\w{0,10}\(\s{0,4}\{[^{}]{0,300}?\b(?:secret|secretOrKey|password|keys)["']?\s{0,2}:\s{0,4}\[?\s{0,2}(?:"(?<secret>[^"\n]{6,200})"|'(?<other>[^'\n]{6,200})')/g,
    passwordFits,
  ),
  rulesOf("totp-seed")(
    "authenticator|otp|oathtool|2fa|mfa",
    /(?:\bTOTP(?:\.new)?\(|\bHOTP(?:\.new)?\(|authenticator\.\w{2,20}\(|\boathtool\s[^\n]{0,60}?(?:-b|--base32)\s(?:-\S{1,10}\s){0,3}|\b(?:TOTP|totp|2FA|2fa|MFA|mfa|OTP|otp)[ _-](?:seed|secret|key)["']?\s{0,2}[:=]\s{0,2})["']?(?<secret>[A-Z2-7]{16,64}={0,6})(?![A-Za-z0-9])/g,
    (secret) => /\d/.test(secret) || /[A-Z]{26}/.test(secret),
  ),
  tokenRule(
    "client(|api(|sdk(|bot(|run(|algoliasearch(",
    /\b(?:[\w.]{0,60}(?:Client|Api|API|Sdk|SDK|Bot)|algoliasearch)\(\s{0,4}(?:["'][A-Z0-9]{8,12}["'],\s{0,4})?["'](?<secret>[A-Za-z0-9_-]{24,200})["']/g,
    (secret) => tokenFits(secret) && /\d.*\d/.test(secret) && !/^(?:[0-9a-f]{8}-|AC[0-9a-f]{32}$|phc_|pk_|[0-9a-f]{24}$)/.test(secret),
  ),
  secretRule(
    "variable ",
    /\bvariable\s{1,4}"(?<name>[\w-]{2,80})"\s{0,4}\{[^{}]{0,400}?\bdefault\s{1,12}=\s{1,12}"(?<secret>[^"\n]{4,400})"/g,
  ),
];
