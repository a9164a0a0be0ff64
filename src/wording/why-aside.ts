// Why something that a command left was moved away.

/** `usual`: what most such files do. */
export function whyAside(path: string, usual: string): string {
  const isIndex = /\/\.git\/(?:.*\/)?(?:shared)?index[^/]*$/.test(path);
  return isIndex ? "nobody can tell where git would look because of such an index (`git reset` makes a new one)" : `such a file ${usual}`;
}
