// Files that are secrets by their name: they should not be in a repository, whatever their contents.
import type { Found } from "../values/assignments.ts";
import { secretName } from "../values/names.ts";
import { isSecretValue } from "../values/values.ts";

/** The kind of secret that a file with this name is, or undefined. `text`: a .pem file may also contain something public. */
export function secretFile(path: string, text: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^\.env(?:\..+)?$|^.+\.env$/i.test(name) && !isTemplate(name)) return "env-file";
  if (/^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$|\.(?:ppk|p12|pfx|jks|keystore|kdbx|key|pkcs12|p8)$/i.test(name))
    return isOpen(text) ? undefined : "key-file";
  if (/\.pem$/i.test(name)) return text.includes("PRIVATE KEY") ? "key-file" : undefined;
  if (/^(?:\.netrc|_netrc|\.pgpass|\.git-credentials|\.htpasswd|\.dockercfg|\.s3cfg)$/i.test(name)) return "credentials-file";
  return undefined;
}

/** Whether the name says that the file shows how another one is written. */
export function isTemplate(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /\.(?:example|sample|template|dist|defaults|schema|tpl|md)$|^(?:example|sample|template)\./i.test(name);
}

/** Whether it contains a certificate or a public key and nothing else. */
function isOpen(text: string): boolean {
  return (
    /^\s*-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|X509 CRL|TRUSTED CERTIFICATE|DH PARAMETERS)/.test(text) &&
    !text.includes("PRIVATE KEY")
  );
}

/** The only line of a file whose name says that it is a secret: `secrets/db_password.txt`, `.vault_pass`, `config/master.key`. */
export function findSoleSecret(text: string, path: string | undefined): Found[] {
  const name = path?.slice(path.lastIndexOf("/") + 1) ?? "";
  if (!/^\.?[\w-]+(?:\.(?:txt|key|secret|pass|pw|pwd|token|cookie))?$/i.test(name)) return [];
  const [, user, secret] = /^(?:([^\s]{1,80})\r?\n)?([^\s"'{}<>]{8,600})\s*$/.exec(text) ?? [];
  if (!secret || (user && !/auth|user/i.test(name))) return [];
  const kind = /\.(?:key|cookie)$|^\.?auth/i.test(name) ? "password" : secretName(name.replace(/\.(?:txt|secret)$/i, ""));
  if (!kind || !isSecretValue(secret, kind === "password" ? "password" : "token", /\d/.test(secret) ? "quoted" : "in configuration"))
    return [];
  const start = text.lastIndexOf(secret);
  return [{ kind: "secret-file", start, end: start + secret.length }];
}
