import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Compares a list of packages (SBOM, CycloneDX) with those that are installed in a folder, and names each that only one
 * of them has.
 *   node scripts/check-sbom.ts <list> <folder>
 */
const [list, folder] = process.argv.slice(2) as [string, string];

interface Component {
  group?: string;
  name: string;
  version: string;
}

const name = ({ group, name, version }: Component) => `${group ? `${group}/` : ''}${name}@${version}`;

const { components } = JSON.parse(readFileSync(list, 'utf8')) as { components: Component[] };
const listed = new Set(components.map(name));
// Manifests in the folders of a package say how its files are read, and are no packages.
const isPackage = /(^|\/)node_modules\/(@[^/]+\/)?[^/@][^/]*\/package\.json$/;
const installed = new Set(
  readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .map(path => join('node_modules', path))
    .filter(path => isPackage.test(path) && !dirname(path).includes('/.'))
    .map(path => name(JSON.parse(readFileSync(join(folder, path), 'utf8')) as Component)),
);
const problems = [
  ...[...installed].filter(each => !listed.has(each)).map(each => `${each} is installed, and not in the list.`),
  ...[...listed].filter(each => !installed.has(each)).map(each => `${each} is in the list, and not installed.`),
];
for (const problem of problems) console.error(problem);
console.log(`The list has ${listed.size} packages, the folder ${installed.size}.`);
process.exitCode = problems.length || !installed.size ? 1 : 0;
