import { exampleRequests, exampleTimestamp } from './examples.js';
import type { Schema } from './schemas.js';

/** By operation: what the response has otherwise than the example of the request, or than the record. */
const exampleResponses: Record<string, Schema> = {
  Hello: { response: 'Hello from All Clear' },
  CreatePage: { support_url: null },
  UpdatePage: { timeline_threshold: 432_000 },
  CreateNotice: { tag_list: [] },
  UpdateTemplate: { component_id: '7' },
  CreateSubscriber: { phone_number: '+447946000000', tag_list: 'press,partner' },
  UpdateSubscriber: { tag_list: 'press' },
};

/** Creates the response to the first example of a request: a record has what was sent, where it has such a field. */
export function createResponseExample(operation: string, schema: Schema, named: Record<string, Schema>): unknown {
  const [request = {}] = Object.values(exampleRequests[operation] ?? {});
  const given: Schema = exampleResponses[operation] ?? {};
  const example = createExample(schema, named, { ...request, ...given }) as Schema;
  const { response } = example;
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return { ...example, ...given };
  const sent = Object.entries({ ...request, ...given }).filter(([name]) => name in response);
  return { ...example, response: { ...response, ...Object.fromEntries(sent) } };
}

interface SchemaParts {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
}

/**
 * Creates an example from a schema, with its required properties only; null wherever the schema allows it. Of several
 * types of a record it takes the first that has all fields of `sent` that any of them has, and the same `type`.
 */
export function createExample(schema: Schema, named: Record<string, Schema>, sent: Schema = {}): unknown {
  const parts = schema as SchemaParts;
  const { $ref, type, format, examples, anyOf, oneOf, allOf, items, required = [], properties = {} } = parts;
  const example = (part: Schema) => createExample(part, named, sent);
  if ($ref) return example(named[$ref.split('/').at(-1)!]!);
  if (examples) return examples[0];
  if (parts.const !== undefined) return parts.const;
  if (parts.enum) return parts.enum[0];
  if (oneOf) return chooseType(oneOf.map(example) as Schema[], sent);
  if (allOf) return Object.assign({}, ...allOf.map(example));
  if (items) return [example(items)];
  // A nullable schema: of a leaf, or of another schema.
  if (anyOf || Array.isArray(type)) return null;
  if (type === 'boolean') return false;
  if (type === 'integer') return 1;
  if (type === 'string') return format === 'date-time' ? exampleTimestamp : 'Text';
  return Object.fromEntries(required.map(key => [key, example(properties[key]!)]));
}

function chooseType(examples: Schema[], sent: Schema): Schema {
  const names = Object.keys(sent).filter(name => examples.some(example => name in example));
  const fits = (example: Schema) =>
    names.every(name => name in example) && (sent.type === undefined || sent.type === example.type);
  return examples.find(fits) ?? examples[0]!;
}
