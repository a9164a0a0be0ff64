// Sensitive file names that a glob could match: `cat .e*` may be a way to write `cat .env`.
const telling = [
  ".env",
  ".env.local",
  ".netrc",
  ".pgpass",
  ".npmrc",
  ".git-credentials",
  ".ssh",
  ".aws",
  ".git",
  ".tool",
  "id_rsa",
  "id_ed25519",
  "key.pem",
  "server.key",
  "x.p12",
  "x.pfx",
  "credentials.json",
];

/** Sensitive paths that the glob matches, whether they exist or not. */
export function globProbes(pattern: string): string[] {
  const segments = pattern.split("/");
  return segments.flatMap((segment, index) => {
    const head = () => (index === 0 ? "" : `${segments.slice(0, index).join("/")}/`.replaceAll(/[*?[\]]/g, "x"));
    if (!/[*?[]/.test(segment)) return index > 0 && telling.includes(segment) ? [`${head()}${segment}`] : [];
    const literal = segment.replaceAll(/\[[^\]]*\]|[*?\\]/g, "");
    if (literal.length < 2 && !segment.startsWith(".") && !segment.includes("[")) return [];
    const fits = maskOfNames(segment);
    return telling
      .filter((name) => (literal !== ".json" || name !== "credentials.json") && fits.test(name))
      .map((name) => [head() + name, ...segments.slice(index + 1)].join("/"));
  });
}

function maskOfNames(segment: string): RegExp {
  const source = segment.replaceAll(/\[(?:!|\^)?[^\]]*\]|[*?]|\\?[\s\S]/g, (part) => {
    if (part === "*") return "[^/]*";
    if (part === "?" || part.startsWith("[")) return "[^/]";
    return part.replace(/^\\(?=.)/, "").replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${/^[*?]/.test(segment) ? "(?!\\.)" : ""}${source}$`, "i");
}
