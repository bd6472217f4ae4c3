import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Part of `npm run build` and `npm run types`: writes src/api/documents.ts, the documents of the console with the types
 * of their variables and results. It does nothing where the file was made from the same sources.
 */
const folder = import.meta.dirname;
const output = join(folder, 'src/api/documents.ts');
const schemaFile = '../schema.graphql';
const documentFiles = globSync('src/*/*.graphql', { cwd: folder }).sort();
const read = (path: string) => readFileSync(join(folder, path), 'utf8');

export async function writeDocuments(): Promise<void> {
  const digest = createHash('sha256');
  for (const path of [schemaFile, '../package-lock.json', 'generate-documents.ts', ...documentFiles])
    digest.update(path).update(read(path));
  const header = `// Sources: ${digest.digest('hex')}\n`;
  if (existsSync(output) && readFileSync(output, 'utf8').startsWith(header)) return;
  // Renamed into place: another process may be reading the file.
  writeFileSync(`${output}.${process.pid}`, header + (await generateDocuments()));
  renameSync(`${output}.${process.pid}`, output);
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
  // Fragments are parts of the operations: those of their own are left out of the bundle.
  const lean = source.replaceAll('= new TypedDocumentString(', '= /*#__PURE__*/ new TypedDocumentString(');
  // Only these are shown to people, who need their lines.
  const others =
    /(?<=new TypedDocumentString\()`\s+(?!mutation (OpenIncident|Schedule|Announce|PostUpdate|Publish))[^`]*`/g;
  return lean.replaceAll(others, text => text.replaceAll(/\s+/g, ' ').replaceAll(/ ?([{}]) ?/g, '$1'));
}

if (import.meta.main) await writeDocuments();
