import { z } from 'zod';
import { createRecordSchema, type Kind } from './kind.js';
import { fileKinds, sealedKinds } from './kinds.js';
import { manifestName, manifestSchema, toFileName } from './manifest.js';
import { secretSchema, secretsName } from './secrets.js';

const toJsonSchema = (schema: z.ZodType) => {
  const { $schema: _, ...definition } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      // The pattern of a format is longer than all else.
      if (jsonSchema.format) delete jsonSchema.pattern;
    },
  });
  return definition;
};

/** The JSON Schema of an archive: a definition for the lines of each file, and one for the manifest. */
export function renderArchiveSchema(): string {
  const describe = (kind: Kind) => ({ description: kind.description, ...toJsonSchema(createRecordSchema(kind)) });
  const lines = fileKinds.map(([name, kind]) => [toFileName(name), describe(kind)]);
  const records = sealedKinds.map(([name, kind]) => [name, describe(kind)]);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The files of an archive of All Clear',
    description:
      'Each definition is that of the lines of the file with its name, of the whole manifest, or of records that ' +
      `are encrypted in ${secretsName}.`,
    $defs: {
      ...Object.fromEntries(lines),
      [secretsName]: toJsonSchema(secretSchema),
      ...Object.fromEntries(records),
      [manifestName]: toJsonSchema(manifestSchema),
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
