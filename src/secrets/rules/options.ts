// Passwords and tokens that a command is handed: which option or which place they stand in depends on the command, one command a line.

import { isSecretValue } from "../values/values.ts";
import { type ContextRule, passwordFits, tokenFits } from "./context-rule.ts";

/** What stands behind an option or a place: in marks, or up to a blank. */
const argument = String.raw`(?:\\?["'](?<secret>[^"'\n\\]{4,300})\\?["']|(?<other>(?!-)[^\s"'|;<>\\]{4,300}))`;

type Row = [keywords: string, command: string, option: string];

/** Behind which option of which command a password stands. In front of an `=`, a blank or nothing where the row says so. */
const passwordOptions: Row[] = [
  ["mysql mariadb mydumper", "mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mariadb-admin|mydumper", "-p"],
  ["sqlcmd", "sqlcmd", "-P(?!assword) ?"],
  ["docker", "docker login|docker-compose login", "(?:-p|--password)[ =]"],
  [
    "login",
    "(?:buildah|skopeo|crane auth|oras|nerdctl|helm registry|regctl registry|expo|eas|jira|wsk|ibmcloud|cf|oc|tsh|influx|argocd|faas-cli|npm|pulumi|dockerhub|acr) login",
    "(?:-p|--password|--pass)[ =]",
  ],
  ["mongo", "mongo(?:sh|dump|restore|export|import|stat|top)?", "-p "],
  ["cypher-shell", "cypher-shell", "-p "],
  ["rabbitmqadmin", "rabbitmqadmin", "-p "],
  ["mosquitto_", "mosquitto_\\w{3,4}", "-P "],
  ["ldap", "ldap(?:search|add|modify|delete|whoami|passwd|compare|modrdn)", "-[ws] ?"],
  ["ldappasswd", "ldappasswd", "-s "],
  ["evil-winrm", "evil-winrm", "-p "],
  ["crackmapexec netexec nxc", "crackmapexec|netexec|nxc", "-p "],
  ["ncftp", "ncftp(?:put|get|ls)?", "-p "],
  ["schtasks", "schtasks", "/rp "],
  ["winrs", "winrs", "[-/]p(?:assword)?:"],
  ["security", "security (?:add|unlock|create|import|set|find)-?[\\w-]{0,30}", "-[wpPk] "],
  ["altool notarytool", "(?:altool|notarytool)", "(?:-p|--password) "],
  ["snmp", "snmp(?:walk|get|set|bulkwalk|trap|table|inform)", "-[AXc] ?"],
  ["ipmitool", "ipmitool", "-P "],
  ["supabase", "supabase", "(?:-p|--password) "],
  ["dotnet nuget nuget", "(?:dotnet )?nuget (?:add|update) source", "(?:-p|--password|-Password) "],
  ["gpg", "gpg2?", "--passphrase[ =]"],
  ["7z rar", "7z|7za|7zz|rar|unrar", "-(?:p|hp)"],
  ["zip", "zip|unzip|zipcloak|zipinfo", "-P ?"],
  ["sshpass", "sshpass", "-p ?"],
  ["plink pscp psftp putty", "plink|pscp|psftp|putty(?:\\.exe)?|kitty", "-pw "],
  ["telnet ssh-keygen", "ssh-keygen", "-[NP] "],
  ["curl wget", "curl|wget", "--(?:pass|proxy-pass|tlspassword|proxy-password|ftp-password|key-pass)[ =]"],
  ["drone woodpecker", "(?:drone|woodpecker-cli) secret (?:add|update)", "--(?:data|value)[ =]"],
  ["keyvault", "az keyvault secret set", "--value[ =]"],
  ["skopeo", "skopeo", "--(?:src-|dest-)?creds[ =][^\\s:]{1,60}:"],
  ["curl", "curl", "(?:-U|--proxy-user)[ =]?[\"']?[^\\s:\"']{1,60}:"],
  ["curl", "curl", "(?:-u|--user)[ =]?[^\\s:\"']{1,60}:(?=[\"'])"],
  ["curl", "curl", "(?:-E|--cert)[ =]?[\"']?[^\\s:\"']{1,100}:"],
  ["smbclient rpcclient smbget wmiexec winexe", "smbclient|rpcclient|smbget|wmiexec|winexe", "(?:-U|--user)[ =]?[\"']?[\\w.\\\\/-]{1,60}%"],
  ["restic borg", "restic|borg", "--password-command[ =][\"']?(?:echo|printf) "],
  [
    "beeline sqlline impala trino presto",
    "beeline|spark-beeline|sqlline(?:\\.py|\\.sh)?|impala-shell(?:\\.sh)?|trino|presto",
    "(?:-p|--password)[ =]",
  ],
  ["impala", "impala-shell", "--ldap_password_cmd[ =][\"']?(?:echo|printf)(?: -n)? "],
  ["vsql nzsql hdbsql exaplus bteq isql gsql", "vsql|nzsql|hdbsql|exaplus|isql|fisql|gsql|mclient", "(?:-w|-pw|-p|-P) ?"],
  [
    "nodetool jmx cbbackup cbimport cbexport couchbase cbq",
    "nodetool|jmxterm|cb(?:backup|import|export|backupmgr|q)\\S{0,10}|couchbase-cli",
    "(?:-pw|-p|--password)[ =]",
  ],
  ["arangosh arango", "arango(?:sh|dump|restore|import|export)", "--server\\.password[ =]"],
  ["db2", "db2", "(?:using|USING) "],
  ["swift", "swift", "-K "],
  ["kcadm", "kcadm(?:\\.sh)?", "(?:--password|--new-password|-p) "],
  ["weblogic wlst asadmin jboss-cli", "jboss-cli(?:\\.sh)?", "(?:--password|-p)[ =]"],
  ["netsh", "netsh wlan set hostednetwork", "key="],
];

/** Behind which option of which command a token or a key stands. */
const tokenOptions: Row[] = [
  ["codecov", "codecov(?:cli)?(?:\\.sh|\\.exe)?|https://codecov\\.io/bash\\)?", "(?:-t|--token) "],
  ["openssl", "openssl enc", "-K "],
  ["openssl", "openssl (?:dgst|mac)", "(?:-hmac|-macopt hexkey:|-macopt key:) ?"],
  ["gem push", "gem push", "(?:-k|--key) "],
  ["gitlab-runner", "gitlab-runner register", "(?:-r|-t) "],
  ["kaggle", "kaggle config set -n key", "-v "],
  ["argocd circleci codacy coveralls", "argocd|circleci|codacy\\S{0,20}|coveralls", "(?:-t|--token|--auth-token) "],
  ["sonar", "sonar(?:-scanner|:sonar|qube|scanner)?", "-D ?sonar\\.(?:login|token)="],
  [
    "erl iex elixir ejabberdctl rabbitmqctl",
    "erl|iex|elixir|werl|ejabberdctl|rabbitmqctl|\\S{1,60}/erl",
    "(?:-setcookie|--cookie|--erlang-cookie) ",
  ],
  ["cachix attic", "cachix authtoken|attic login \\S{1,40} \\S{1,100}", ""],
];

/** Commands and verbs behind whose other arguments the password stands by itself. */
const passwordPlaces: [keywords: string, before: string][] = [
  ["alias host", "mc (?:-\\S+ )?(?:alias set|config host add) \\S+ \\S+ \\S+"],
  ["mosquitto_passwd", "mosquitto_passwd -\\w{0,3}b \\S+ \\S+"],
  ["htpasswd", "htpasswd -\\w{0,6}n\\w{0,6} \\S+"],
  ["htpasswd", "htpasswd (?:-\\w{1,8} ){1,3}\\S+ \\S+"],
  ["redis-cli auth", "redis-cli [^\\n|;]{0,100}?(?:AUTH|auth)(?: default)?"],
  ["requirepass masterauth", "(?:CONFIG SET|config set) (?:requirepass|masterauth)"],
  ["auth-pass", "sentinel auth-pass \\S+"],
  ["http-basic", "(?:poetry|composer) config (?:-{1,2}\\w+ )?http-basic\\.\\S+ \\S+"],
  ["bundle", "bundle config (?:set )?(?:--\\w+ )?[\\w.-]+ [\\w.-]{1,40}:"],
  ["rclone", "rclone obscure"],
  ["qpdf", "qpdf [^\\n|;]{0,60}?--encrypt(?: \\S+)?"],
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
  ["/user:", "net use (?:[A-Z*]: )?\\\\\\\\\\S+ /user:\\S+"],
  ["vncpasswd x11vnc", "x11vnc [^\\n]{0,60}?-passwd"],
  ["insecure-password", "insecure-password"],
  ["quote pass", "quote PASS"],
  ["p4", "p4 -P"],
  ["rootpw", "rootpw(?: --(?:plaintext|allow-ssh)){0,2}"],
  ["wallet", "(?:walletpassphrase|encryptwallet)"],
  ["swaks", "swaks [^\\n|;]{0,200}?(?:-ap|--auth-password|-auth-password)"],
  ["asadmin jboss", "(?:add-user\\.sh|add-user\\.bat) [^\\n|;]{0,80}?(?:-p|--password)"],
];

export const optionRules: ContextRule[] = [
  ...passwordOptions.map((row) => handed("password", row)),
  ...tokenOptions.map((row) => handed("token", row)),
  ...passwordPlaces.map(
    ([keywords, before]): ContextRule => ({
      kind: "password",
      keywords: wordsOf(keywords),
      pattern: new RegExp(String.raw`(?<![\w.-])(?:${before.replaceAll(" ", String.raw`\s{1,4}`)})(?:\s{1,4}|(?<=[:( ]))${argument}`, "g"),
      accepts: chosenFits,
    }),
  ),
  {
    // whoever it is: a user and a password behind it
    kind: "password",
    keywords: ["-p", "-w"],
    pattern:
      /\s(?:-u|-U|-l|-n|--?user(?:name)?|--login)[ =:]?["']?[^\s"'-][^\s"']{0,80}["']?(?=\s)[^\n|;&]{0,120}?\s(?:-p|-P|-w|-pw|-pass|-password|--pass)[ =:]["']?(?!-)(?<secret>[^\s"'\x60|;<>]{4,200})/g,
    accepts: ({ secret = "" }) => !/^\d[\d.:/-]*(?:tcp|udp)?$/.test(secret) && isSecretValue(secret, "password", "loose"),
  },
];

function handed(kind: "password" | "token", [keywords, command, option]: Row): ContextRule {
  return {
    kind,
    keywords: wordsOf(keywords),
    pattern: new RegExp(String.raw`(?<![\w./-])(?:${command})(?!\w)(?<list>\s[^\n|;]{4,500})`, "g"),
    each: new RegExp(String.raw`\s${option.replace(/ \?$/, String.raw`\s{0,8}`).replace(/ $/, String.raw`\s{1,8}`)}${argument}`, "g"),
    accepts: kind === "password" ? chosenFits : ({ secret, other }) => tokenFits({ secret: (secret ?? other)! }),
  };
}

function wordsOf(keywords: string): string[] {
  return keywords.split(" ");
}

/** What somebody chose, and no number, port or address. */
function chosenFits({ secret, other }: Record<string, string>): boolean {
  const value = (secret ?? other)!;
  return !/^\d{1,5}(?::\d{1,5})?$|^https?:/.test(value) && passwordFits({ secret: value });
}
