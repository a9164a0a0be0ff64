// Files that are secrets by their name: they have no place in a repository, whatever is in them.

/** What kind of secret a file of this name is; undefined for all others. `text`: a .pem file may also hold what everybody may see. */
export function secretFile(path: string, text: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (
    /^\.env(?:\..+)?$|^.+\.env$/i.test(name) &&
    !/\.(?:example|sample|template|dist|defaults|schema|tpl|md)$|^(?:example|sample|template)\./i.test(name)
  )
    return "env-file";
  if (/^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$|\.(?:ppk|p12|pfx|jks|keystore|kdbx|key|pkcs12|p8)$/i.test(name))
    return isOpen(text) ? undefined : "key-file";
  if (/\.pem$/i.test(name)) return text.includes("PRIVATE KEY") ? "key-file" : undefined;
  if (/^(?:\.netrc|_netrc|\.pgpass|\.git-credentials|\.htpasswd|\.dockercfg|\.s3cfg)$/i.test(name)) return "credentials-file";
  return undefined;
}

/** Begins as a certificate or a public key, and has nothing else. */
function isOpen(text: string): boolean {
  return (
    /^\s*-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|X509 CRL|TRUSTED CERTIFICATE|DH PARAMETERS)/.test(text) &&
    !text.includes("PRIVATE KEY")
  );
}
