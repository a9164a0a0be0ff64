// Glob patterns of the Glob and Grep tools. Ignore files have different patterns.
import picomatch from "picomatch";

export type Globs = { ok: true; matches: (path: string) => boolean } | { ok: false; reason: string };

/**
 * Makes a test for relative paths with `/`. `anywhere`: a pattern without a slash is matched against the name alone. A pattern with many
 * stars is refused: matching it takes time that grows with each star, and this runs in the agent's only thread.
 */
export function globs(pattern: string, options: { anywhere: boolean }): Globs {
  if (pattern === "") return { ok: false, reason: "the pattern is empty. Use ** for every file" };
  const segments = pattern.split("/");
  const stars = Math.max(...segments.map((segment) => (segment.match(/[*+]+/g) ?? []).length));
  if (stars > maxStars || segments.filter((segment) => segment.includes("**")).length > maxStars) {
    return { ok: false, reason: `the pattern has more than ${maxStars} stars in one name, or in its path. Use a simpler one` };
  }
  // With `basename`, picomatch compares every pattern with the name alone, one with a slash too.
  const basename = options.anywhere && !pattern.includes("/");
  const matches = picomatch(pattern.replace(/^\.\//, ""), { dot: true, noextglob: true, basename });
  return { ok: true, matches: (path) => matches(path) };
}

const maxStars = 4;
