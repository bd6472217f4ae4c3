import { restSchema as schema } from '../../src/schema.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { prepareRoute } from '../../src/rest/operation.js';
import { routes } from '../../src/rest/routes.js';

export type Schema = Record<string, unknown>;

/** A route in the terms of the OpenAPI document. */
export interface RouteOperation {
  method: string;
  path: string;
  name: string;
}

/** Every operation of the API; a PATCH is a PUT too. */
export const routeOperations: RouteOperation[] = routes.flatMap(route => {
  const [method, path] = route;
  const name = prepareRoute(schema, route, routes).operation.operation.name!.value;
  const operation = { method, path: path.replace(/:(\w+)/g, '{$1}'), name };
  return method === 'PATCH' ? [operation, { ...operation, method: 'PUT', name: `${name}ByPut` }] : [operation];
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

/** Validates values against schemas of the document, as written or closed, where undocumented properties are errors. */
export class SchemaValidator {
  private readonly open: Ajv2020;
  private readonly closed: Ajv2020;
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApi) {
    const { schemas } = document.components;
    this.open = createAjv(schemas);
    this.closed = createAjv(mapValues(schemas, closeParts));
  }

  compile(schema: Schema): ValidateFunction {
    return this.open.compile(rebaseReferences(schema));
  }

  /** The errors of a value; undocumented properties are errors too. */
  errors(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate = this.compiled.get(key) ?? this.closed.compile(rebaseReferences(closeSchema(schema)));
    this.compiled.set(key, validate);
    if (validate(value)) return [];
    return validate.errors!.map(
      ({ instancePath, message, params }) => `${instancePath || 'the value'} ${message} ${JSON.stringify(params)}`,
    );
  }
}

function createAjv(schemas: Record<string, Schema>): Ajv2020 {
  // The document has `not` without properties, and unevaluatedProperties beside any type; strict mode refuses both.
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'components', $defs: rebaseReferences(schemas) });
  return ajv;
}

const rebaseReferences = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', 'components#/$defs/'));

/** Closes a schema that describes a whole value. A part of allOf must stay open for the keys of the other parts. */
const closeSchema = (schema: Schema): Schema => ({ ...closeParts(schema), unevaluatedProperties: false });

function closeParts(schema: Schema): Schema {
  const result = { ...schema };
  for (const key of ['items', 'additionalProperties'])
    if (result[key]) result[key] = closeSchema(result[key] as Schema);
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    if (result[key]) result[key] = (result[key] as Schema[]).map(closeParts);
  if (result.properties) result.properties = mapValues(result.properties as Record<string, Schema>, closeSchema);
  return result;
}

const mapValues = <From, To>(object: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** Every `$ref` of the document and its target. */
export function resolveReferences(document: OpenApi): [reference: string, target: unknown][] {
  const found = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
  const resolve = (reference: string) =>
    reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((node, part) => (node as Schema | undefined)?.[part], document);
  return [...new Set([...found].map(([, reference]) => reference!))].map(reference => [reference, resolve(reference)]);
}
