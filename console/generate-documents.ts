import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { parse } from 'graphql';

/** Part of `npm run schema`: writes the documents of the console, with the types of their variables and results. */
const folder = import.meta.dirname;

export async function generateDocuments(): Promise<string> {
  const schema = parse(readFileSync(join(folder, '../schema.graphql'), 'utf8'));
  const documents = globSync('src/*/*.graphql', { cwd: folder })
    .sort()
    .map(location => {
      const rawSDL = readFileSync(join(folder, location), 'utf8');
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
      scalars: { Timestamp: 'string', Bytes: 'string' },
    },
    plugins: [],
    pluginMap: {},
  });
  const { filename: _, ...options } = files.find(({ filename }) => filename.endsWith('graphql.ts'))!;
  return codegen({ ...options, filename: 'documents.ts' });
}

export const documentsFile = join(folder, 'src/api/documents.ts');

if (import.meta.main) writeFileSync(documentsFile, await generateDocuments());
