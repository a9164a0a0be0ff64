// What a build has taken from other packages: their licence texts, and a bill of materials in CycloneDX. The same build writes the same bytes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes `licences.txt` and `sbom.cdx.json` into the folder. Throws for a package that has no licence. */
export function writeBundled(folder, { modules, root }) {
  const bundled = packagesOf(modules);
  const own = manifest(root);
  const installed = Object.keys(own.optionalDependencies ?? {}).map((name) => packageAt(join(root, "node_modules", name)));
  writeFileSync(join(folder, "licences.txt"), licences(bundled));
  writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(sbom(own, { bundled, installed }))}\n`);
}

/** The packages whose modules these are, each version once, in order of their names. */
function packagesOf(modules) {
  const folders = new Set(modules.flatMap((id) => packageFolder(id.replace(/^\0/, "").replace(/\?.*$/, "")) ?? []));
  const found = new Map([...folders].map(packageAt).map((one) => [`${one.name}@${one.version}`, one]));
  return [...found.keys()].sort().map((key) => found.get(key));
}

function packageFolder(id) {
  if (!id.includes("/node_modules/")) return undefined;
  for (let folder = dirname(id); !folder.endsWith("/node_modules"); folder = dirname(folder))
    if (existsSync(join(folder, "package.json")) && manifest(folder).version !== undefined) return folder;
  throw new Error(`No package has the module ${id}`);
}

const manifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

function packageAt(folder) {
  const { name, version, license, licenses } = manifest(folder);
  const named = license?.type ?? license ?? licenses?.map(({ type }) => type).join(" OR ");
  if (!named) throw new Error(`${name} ${version} names no licence`);
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  return { name, version, licence: named, texts: files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim()) };
}

/** A text that several packages have stands once, below all their names. */
function licences(packages) {
  const owners = new Map();
  for (const { name, version, licence, texts } of packages) {
    const text = texts.length > 0 ? texts.join("\n\n") : "The package has no text of the licence.";
    owners.set(text, [...(owners.get(text) ?? []), `${name} ${version} (${licence})`]);
  }
  const parts = [...owners].map(([text, names]) => `${names.join("\n")}\n\n${text}`);
  return `${["This program contains parts of the following packages.", ...parts].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

function sbom({ name, version, license }, { bundled, installed }) {
  const component = (one, more) => ({
    type: "library",
    "bom-ref": reference(one),
    name: one.name,
    version: one.version,
    purl: reference(one),
    licenses: [licenceOf(one.licence)],
    ...more,
  });
  const all = [...bundled.map((one) => component(one)), ...installed.map((one) => component(one, { scope: "optional" }))];
  const self = { type: "application", "bom-ref": reference({ name, version }), name, version, licenses: [licenceOf(license)] };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...self, purl: reference({ name, version }) } },
    components: all,
    dependencies: [{ ref: self["bom-ref"], dependsOn: all.map((one) => one["bom-ref"]) }],
  };
}

/** A package URL, in which the at sign of a scope is written as %40. */
const reference = ({ name, version }) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;

const licenceOf = (text) => (/^[A-Za-z0-9.+-]+$/.test(text) ? { license: { id: text } } : { expression: text });
