import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { buildSchema, parse } from 'graphql';

/** JSON has them as text. */
const texts = {
  Timestamp: 'string',
  Date: 'string',
  URL: 'string',
  Locale: 'string',
  Color: 'string',
  Bytes: 'string',
};
const scalars = { ...texts, JSON: 'unknown' };

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const read = (path: string) => readFileSync(toPath(path), 'utf8');
const target = toPath('src/graphql.ts');

/** The typed documents of src/documents.graphql. */
async function generate(): Promise<string> {
  const schema = read('../../schema.graphql');
  const documents = read('src/documents.graphql');
  const files = await preset.buildGeneratesSection({
    baseOutputDir: toPath('src/'),
    schema: parse(schema),
    schemaAst: buildSchema(schema),
    documents: [{ location: 'src/documents.graphql', rawSDL: documents, document: parse(documents) }],
    config: { useTypeImports: true, strictScalars: true, scalars },
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
  });
  // The other files are for documents that are written in the source.
  return codegen(files.find(({ filename }) => filename === target)!);
}

writeFileSync(target, await generate());
