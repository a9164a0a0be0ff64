// The hosts that package managers fetch from, by the files that show that a tree uses them. Source: the manual of each.

/** A row: files of which one is in the tree, and the hosts. */
const ecosystems: [files: string[], hosts: string[]][] = [
  [["package.json"], ["registry.npmjs.org"]],
  [["yarn.lock"], ["registry.yarnpkg.com", "registry.npmjs.org"]],
  [
    ["pyproject.toml", "requirements.txt", "setup.py", "Pipfile"],
    ["pypi.org", "files.pythonhosted.org"],
  ],
  [["Cargo.toml"], ["index.crates.io", "static.crates.io", "crates.io"]],
  [["go.mod"], ["proxy.golang.org", "sum.golang.org"]],
  [["Gemfile"], ["rubygems.org", "index.rubygems.org"]],
  [["pom.xml"], ["repo.maven.apache.org", "repo1.maven.org"]],
  [
    ["build.gradle", "build.gradle.kts"],
    ["repo.maven.apache.org", "repo1.maven.org", "plugins.gradle.org", "services.gradle.org", "downloads.gradle.org"],
  ],
  [["composer.json"], ["repo.packagist.org", "packagist.org"]],
  [["mix.exs"], ["repo.hex.pm", "hex.pm", "builds.hex.pm"]],
];

/** All hosts of the tree's package managers, if this is one of them and there are more. */
export function packageHosts(host: string, isThere: (file: string) => boolean): string[] | undefined {
  const hosts = [...new Set(ecosystems.flatMap(([files, own]) => (files.some(isThere) ? own : [])))];
  return hosts.length > 1 && hosts.includes(host) ? hosts : undefined;
}
