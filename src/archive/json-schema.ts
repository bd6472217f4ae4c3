import { z } from 'zod';
import { createRecordSchema } from './kind.js';
import { kinds } from './kinds.js';
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
  const lines = Object.entries(kinds).map(([name, kind]) => [
    toFileName(name),
    { description: kind.description, ...toJsonSchema(createRecordSchema(kind)) },
  ]);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The files of an archive of All Clear',
    description: 'Each definition is that of the lines of the file with its name, and of the whole manifest.',
    $defs: {
      ...Object.fromEntries(lines),
      [secretsName]: toJsonSchema(secretSchema),
      [manifestName]: toJsonSchema(manifestSchema),
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
