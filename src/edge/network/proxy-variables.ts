// How programs are told of a proxy: the variables that curl, git, package managers and languages read. Source: the manual of each.

/**
 * `proxy`: its address, `http://host:port`. Servers in the sandbox itself are reached without it, but for a name that a rule gives to this machine's.
 * `env`: whose Java options stay.
 */
export function proxyVariables(
  proxy: string,
  env: Record<string, string | undefined>,
  isNamed: (host: string) => boolean,
): Record<string, string> {
  const { hostname, port } = new URL(proxy);
  const java = ["http", "https"].map((scheme) => `-D${scheme}.proxyHost=${hostname} -D${scheme}.proxyPort=${port}`).join(" ");
  const withJava = (name: string) => ({ [name]: [env[name], java].filter(Boolean).join(" ") });
  const here = ["localhost", "127.0.0.1", "::1"].filter((host) => !isNamed(host)).join(",");
  const upper = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: here };
  return {
    ...upper,
    ...Object.fromEntries(Object.entries(upper).map(([name, value]) => [name.toLowerCase(), value])),
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
    CARGO_HTTP_PROXY: proxy,
    ...withJava("MAVEN_OPTS"),
    ...withJava("GRADLE_OPTS"),
  };
}
