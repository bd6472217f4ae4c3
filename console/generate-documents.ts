import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Part of `npm run build` and `npm run types`: writes src/api/documents.ts, the types of variables and results, and the
 * documents in src/api/documents, a file for each folder: the bundler puts each with the screens that use it. It does
 * nothing where the files were made from the same sources.
 */
const folder = import.meta.dirname;
const output = 'src/api/documents.ts';
const schemaFile = '../schema.graphql';
const documentFiles = globSync('src/*/*.graphql', { cwd: folder }).sort();
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

export async function writeDocuments(): Promise<void> {
  const digest = createHash('sha256');
  for (const path of [schemaFile, '../package-lock.json', 'generate-documents.ts', ...documentFiles])
    digest.update(path).update(read(path));
  const header = `// Sources: ${digest.digest('hex')}\n`;
  if (existsSync(join(folder, output)) && read(output).startsWith(header)) return;
  const { types, documents } = splitDocuments(await generateDocuments());
  mkdirSync(join(folder, 'src/api/documents'), { recursive: true });
  for (const [name, lines] of documents) replaceFile(`src/api/documents/${name}.ts`, typeImport + lines.join(''));
  const exports = [...documents.keys()].map(name => `export * from './documents/${name}.ts';\n`);
  // Last: files that were interrupted are made again.
  replaceFile(output, header + exports.join('') + types);
}

const typeImport = "import type * as types from '../documents.ts';\n";

/** Renamed into place: another process may be reading the file. */
function replaceFile(path: string, content: string): void {
  const target = join(folder, path);
  writeFileSync(`${target}.${process.pid}`, content);
  renameSync(`${target}.${process.pid}`, target);
}

/** A document is a string, whose type names its variables and its result. */
const documentType = `export interface TypedDocumentString<Result, Variables> extends String {
  __apiType?: (variables: Variables) => Result;
}`;
const constants =
  /^export const (\w+) = new TypedDocumentString\((`[^`]*`).*?\) as unknown as TypedDocumentString<(\w+), ?(\w+)>;$/gms;

/** The types, and the documents by the folder that defines them. Fragments are parts of documents. */
function splitDocuments(source: string): { types: string; documents: Map<string, string[]> } {
  const documents = new Map<string, string[]>();
  for (const [, name, text, result, variables] of source.matchAll(constants)) {
    const definition = new RegExp(`^(query|mutation|subscription) ${name!.replace(/Document$/, '')}\\b`, 'm');
    const path = documentFiles.find(file => definition.test(read(file)));
    if (!path) continue;
    const place = basename(dirname(path));
    const type = `types.TypedDocumentString<types.${result}, types.${variables}>`;
    documents.set(place, [...(documents.get(place) ?? []), `export const ${name} = ${text} as unknown as ${type};\n`]);
  }
  const types = source
    .replaceAll(constants, '')
    .replace(/^import .*$/m, '')
    .replace(/^export class TypedDocumentString.*?^}$/ms, documentType);
  return { types, documents };
}

async function generateDocuments(): Promise<string> {
  const [{ codegen }, { preset }, { parse }] = await Promise.all([
    import('@graphql-codegen/core'),
    import('@graphql-codegen/client-preset'),
    import('graphql'),
  ]);
  const schema = parse(read(schemaFile));
  const documents = documentFiles.map(location => {
    const rawSDL = read(location);
    return { location, rawSDL, document: parse(rawSDL) };
  });
  const files = await preset.buildGeneratesSection({
    schema,
    documents,
    baseOutputDir: 'src/api/',
    presetConfig: { fragmentMasking: false },
    config: {
      documentMode: 'string',
      onlyOperationTypes: true,
      enumsAsTypes: true,
      useTypeImports: true,
      defaultScalarType: 'unknown',
      scalars: Object.fromEntries(
        ['Timestamp', 'Bytes', 'Date', 'URL', 'Locale', 'Color'].map(name => [name, 'string']),
      ),
    },
    plugins: [],
    pluginMap: {},
  });
  const { filename: _, ...options } = files.find(({ filename }) => filename.endsWith('graphql.ts'))!;
  const source = await codegen({ ...options, filename: 'documents.ts' });
  // Only these are shown to people, who need their lines.
  const others =
    /(?<=new TypedDocumentString\()`\s+(?!mutation (OpenIncident|Schedule|Announce|PostUpdate|Publish))[^`]*`/g;
  return source.replaceAll(others, text => text.replaceAll(/\s+/g, ' ').replaceAll(/ ?([{}]) ?/g, '$1'));
}

if (import.meta.main) await writeDocuments();
