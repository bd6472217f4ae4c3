import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { prepare } from '../../src/rest/operation.js';
import { routes } from '../../src/rest/routes.js';

export type Schema = Record<string, unknown>;

/** An operation of the interface, as the routes have it. */
export interface Place {
  method: string;
  path: string;
  name: string;
}

/** Every operation of the interface, PUT beside PATCH. */
export const places: Place[] = routes.map(prepare).flatMap(({ route: [method, path], operation }) => {
  const name = operation.operation.name!.value;
  const own = { method, path: path.replace(/:(\w+)/g, '{$1}'), name };
  return method === 'PATCH' ? [own, { ...own, method: 'PUT', name: `${name}ByPut` }] : [own];
});

export interface Operation {
  operationId: string;
  parameters: ({ name: string; in: string } & Schema)[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: Schema; examples: Record<string, { value: Schema }> }>;
  };
  responses: Record<
    string,
    { headers?: Record<string, Schema>; content?: Record<string, { schema: Schema; example: unknown }>; $ref?: string }
  >;
  security?: Schema[];
}

export interface OpenApi {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: Record<'schemas' | 'parameters' | 'headers' | 'responses', Record<string, Schema>>;
}

/** Holds values to schemas of the document, as they are written or closed: nothing beyond what they tell. */
export class Judge {
  private readonly asWritten: Ajv2020;
  private readonly closed: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApi) {
    const { schemas } = document.components;
    this.asWritten = judge(schemas);
    this.closed = judge(mapped(schemas, withClosedParts));
  }

  compile(schema: Schema): ValidateFunction {
    return this.asWritten.compile(rebased(schema));
  }

  /** What is wrong with a value, in sentences. */
  complaints(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate = this.compiled.get(key) ?? this.closed.compile(rebased(closedSchema(schema)));
    this.compiled.set(key, validate);
    if (validate(value)) return [];
    return validate.errors!.map(
      ({ instancePath, message, params }) => `${instancePath || 'the whole'} ${message} ${JSON.stringify(params)}`,
    );
  }
}

function judge(schemas: Record<string, Schema>): Ajv2020 {
  // That a key is not there is told by a `not` without properties of its own, and unevaluatedProperties stands beside any type.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'components', $defs: rebased(schemas) });
  return ajv;
}

const rebased = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', 'components#/$defs/'));

/** Where a value stands; a schema that only adds to another says nothing of the keys that the other has. */
const closedSchema = (schema: Schema): Schema => ({ ...withClosedParts(schema), unevaluatedProperties: false });

function withClosedParts(schema: Schema): Schema {
  const result = { ...schema };
  for (const key of ['items', 'additionalProperties'])
    if (result[key]) result[key] = closedSchema(result[key] as Schema);
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    if (result[key]) result[key] = (result[key] as Schema[]).map(withClosedParts);
  if (result.properties) result.properties = mapped(result.properties as Record<string, Schema>, closedSchema);
  return result;
}

const mapped = <From, To>(object: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** Every `$ref` of the document, and what it leads to. */
export function references(document: OpenApi): [reference: string, target: unknown][] {
  const found = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
  const at = (reference: string) =>
    reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((place, part) => (place as Schema | undefined)?.[part], document);
  return [...new Set([...found].map(([, reference]) => reference!))].map(reference => [reference, at(reference)]);
}
