// Passwords and tokens in the arguments of commands: which option or position holds them depends on the command. One command a line.

import { type ContextRule, passwordFits, passwordNearName, passwordRule, rulesOf, tokenRule } from "./context-rule.ts";

/** The value of an option or position: quoted, or up to a space. */
const argument = String.raw`(?:\\?["'](?<secret>[^"'\n\\]{4,300})\\?["']|(?<other>(?!-)[^\s"'|;<>\\]{4,300}))`;

type Row = [keywords: string, command: string, option: string];

/** Options that hold a password, by command. An `=`, a space or nothing precedes the value, as the row says. */
const passwordOptions: Row[] = [
  ["mysql mariadb mydumper", "mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mariadb-admin|mydumper", "-p"],
  ["sqlcmd", "sqlcmd", "-P(?!assword) ?"],
  ["docker", "docker login|docker-compose login", "(?:-p|--password)[ =]"],
  [
    "login",
    "(?:buildah|skopeo|crane auth|oras|nerdctl|helm registry|regctl registry|expo|eas|jira|wsk|ibmcloud|cf|oc|tsh|influx|argocd|faas-cli|npm|pulumi|dockerhub|acr) login",
    "(?:-p|--password|--pass)[ =]",
  ],
  ["ldap", "ldap(?:search|add|modify|delete|whoami|passwd|compare|modrdn)", "-[ws] ?"],
  ["schtasks", "schtasks", "/rp "],
  ["security", "security (?:add|unlock|create|import|set|find)-?[\\w-]{0,30}", "-[wpPk] "],
  ["snmp", "snmp(?:walk|get|set|bulkwalk|trap|table|inform)", "-[AXc] ?"],
  ["supabase", "supabase", "(?:-p|--password) "],
  ["7z rar", "7z|7za|7zz|rar|unrar", "-(?:p|hp)"],
  ["zip", "zip|unzip|zipcloak|zipinfo", "-P ?"],
  ["sshpass", "sshpass", "-p ?"],
  ["drone woodpecker", "(?:drone|woodpecker-cli) secret (?:add|update)", "--(?:data|value)[ =]"],
  ["keyvault", "az keyvault secret set", "--value[ =]"],
  ["curl", "curl", "(?:-U|--proxy-user)[ =]?[\"']?[^\\s:\"']{1,60}:"],
  ["curl", "curl", "(?:-u|--user)[ =]?[^\\s:\"']{1,60}:(?=[\"'])"],
  ["curl", "curl", "(?:-E|--cert)[ =]?[\"']?[^\\s:\"']{1,100}:"],
  ["restic borg", "restic|borg", "--password-command[ =][\"']?(?:echo|printf) "],
  [
    "beeline sqlline impala trino presto",
    "beeline|spark-beeline|sqlline(?:\\.py|\\.sh)?|impala-shell(?:\\.sh)?|trino|presto",
    "(?:-p|--password)[ =]",
  ],
  ["impala", "impala-shell", "--ldap_password_cmd[ =][\"']?(?:echo|printf)(?: -n)? "],
  ["db2", "db2", "(?:using|USING) "],
  ["swift", "swift", "-K "],
  ["netsh", "netsh wlan set hostednetwork", "key="],
];

/** Options that hold a token or a key, by command. */
const tokenOptions: Row[] = [
  ["codecov", "codecov(?:cli)?(?:\\.sh|\\.exe)?|https://codecov\\.io/bash\\)?", "(?:-t|--token) "],
  ["openssl", "openssl enc", "-K "],
  ["openssl", "openssl (?:dgst|mac)", "(?:-hmac|-macopt hexkey:|-macopt key:) ?"],
  ["gem push", "gem push", "(?:-k|--key) "],
  ["gitlab-runner", "gitlab-runner register", "(?:-r|-t) "],
  ["kaggle", "kaggle config set -n key", "-v "],
  ["sonar", "sonar(?:-scanner|:sonar|qube|scanner)?", "-D ?sonar\\.(?:login|token)="],
  [
    "erl iex elixir ejabberdctl rabbitmqctl",
    "erl|iex|elixir|werl|ejabberdctl|rabbitmqctl|\\S{1,60}/erl",
    "(?:-setcookie|--cookie|--erlang-cookie) ",
  ],
];

/** Commands and subcommands that take a password as a plain argument. */
const passwordPlaces: [keywords: string, before: string][] = [
  ["alias host", "mc (?:-\\S+ )?(?:alias set|config host add) \\S+ \\S+ \\S+"],
  ["mosquitto_passwd", "mosquitto_passwd -\\w{0,3}b \\S+ \\S+"],
  ["htpasswd", "htpasswd -\\w{0,6}n\\w{0,6} \\S+"],
  ["htpasswd", "htpasswd (?:-\\w{1,8} ){1,3}\\S+ \\S+"],
  ["redis-cli auth", "redis-cli [^\\n|;]{0,100}?(?:AUTH|auth)(?: default)?"],
  ["auth-pass", "sentinel auth-pass \\S+"],
  ["http-basic", "(?:poetry|composer) config (?:-{1,2}\\w+ )?http-basic\\.\\S+ \\S+"],
  ["bundle", "bundle config (?:set )?(?:--\\w+ )?[\\w.-]+ [\\w.-]{1,40}:"],
  ["rclone", "rclone obscure"],
  ["radtest", "radtest(?: -\\S+)* \\S+"],
  ["radtest", "radtest(?: -\\S+)* \\S+ \\S+ \\S+ \\d+"],
  ["samba-tool", "samba-tool user (?:create|add) [\\w.-]+"],
  ["user:password upwd", "drush (?:-\\S+ )?(?:user:password|upwd|user-password) \\S+"],
  ["unlock login", "bw (?:unlock|login [^\\s@]+@\\S+)"],
  ["dscl", "dscl \\S+ -passwd \\S+"],
  ["openssl passwd", "openssl passwd (?:-(?:salt \\S+|\\w+) ){0,3}"],
  ["mkpasswd", "mkpasswd (?:-m \\S+ |--method=\\S+ |-\\w+ ){0,3}"],
  ["vault operator", "vault operator unseal(?: -\\S+)?"],
  ["add_user change_password authenticate_user", "rabbitmqctl [^\\n]{0,60}?(?:add_user|change_password|authenticate_user) \\S+"],
  ["impacket secretsdump psexec", "(?:impacket-\\w+|secretsdump(?:\\.py)?|psexec\\.py|wmiexec\\.py|smbexec\\.py) [^\\s:]{1,60}:"],
  ["/user:", "net use (?:[A-Za-z*]: )?\\\\\\\\\\S+ /user:\\S+"],
  ["rootpw", "rootpw(?: --(?:plaintext|allow-ssh)){0,2}"],
];

const chosenRule = rulesOf("password", chosenFits);

export const optionRules: ContextRule[] = [
  ...passwordOptions.map((row) => handed(chosenRule, row)),
  ...tokenOptions.map((row) => handed(tokenRule, row)),
  ...passwordPlaces.map(([keywords, before]) =>
    chosenRule(
      keywords.replaceAll(" ", "|"),
      new RegExp(String.raw`(?<![\w.-])(?:${before.replaceAll(" ", String.raw`\s{1,4}`)})(?:\s{1,4}|(?<=[:( ]))${argument}`, "g"),
    ),
  ),
  // a user name followed by a password
  passwordRule(
    "-p|-w",
    /\s(?:-u|-U|-l|-n|--?user(?:name)?|--login)[ =:]?["']?[^\s"'-][^\s"']{0,80}["']?(?=\s)[^\n|;&]{0,120}?\s(?:-p|-P|-w|-pw|-pass|-password|--pass)[ =:]["']?(?!-)(?<secret>[^\s"'\x60|;<>]{4,200})/g,
    (secret) => !/^\d[\d.:/-]*(?:tcp|udp)?$/.test(secret) && passwordNearName(secret),
  ),
];

function handed(ruleOf: typeof tokenRule, [keywords, command, option]: Row): ContextRule {
  return {
    ...ruleOf(keywords.replaceAll(" ", "|"), new RegExp(String.raw`(?<![\w./-])(?:${command})(?!\w)(?<list>\s[^\n|;]{4,500})`, "g")),
    each: new RegExp(String.raw`\s${option.replace(/ \?$/, String.raw`\s{0,8}`).replace(/ $/, String.raw`\s{1,8}`)}${argument}`, "g"),
  };
}

/** Whether this looks chosen: not a number, port or address. */
function chosenFits(secret: string): boolean {
  return !/^\d{1,5}(?::\d{1,5})?$|^https?:/.test(secret) && passwordFits(secret);
}
