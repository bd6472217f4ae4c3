import { getNamedType } from 'graphql';
import { parsePublicUrl } from '../../core/config.js';
import type { Database } from '../../db/database.js';
import type { ApiDependencies } from '../../graphql/context.js';
import type { PreparedRoute } from '../operation.js';
import { describeResponse } from './responses.js';
import { errorSchema, headers, parameters, responses, securitySchemes, tagDescriptions } from './components.js';
import { introduction } from './introduction.js';
import { createExample } from './response-examples.js';
import { operationObject, rootField } from './operations.js';
import { type Schema, Schemas } from './schemas.js';

/** Describes /v1 as an OpenAPI 3.1 document, generated from the routes and the GraphQL schema. */
export function createOpenApiDocument(
  routes: PreparedRoute[],
  { database, settings, schema }: Pick<ApiDependencies, 'settings' | 'schema'> & { database: Pick<Database, 'orm'> },
): Schema {
  const { origin } = parsePublicUrl(settings);
  const schemas = new Schemas(database);
  schemas.named('Error', () => errorSchema);
  const paths: Record<string, Schema> = {};
  for (const prepared of routes) {
    const [method, path] = prepared.route;
    const template = path.replace(/:(\w+)/g, '{$1}');
    const item = paths[template] ?? pathItem(path, routes, schemas);
    paths[template] = item;
    const operation = operationObject(prepared, routes, schemas, settings.anonymousReads);
    item[method.toLowerCase()] = operation;
    if (method === 'PATCH')
      item.put = {
        ...operation,
        operationId: `${operation.operationId}ByPut`,
        description: `${operation.description} PUT does what PATCH does.`,
      };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'All Clear',
      version: 'v1',
      description: introduction(schema),
      contact: { name: 'The operator of this service', url: origin },
    },
    servers: [{ url: `${origin}/v1` }],
    security: [{ token: [] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: schemas.all, parameters, headers, responses, securitySchemes },
  };
}

/** Prints a document as it is committed in openapi.json. */
export const renderOpenApiDocument = (document: Schema): string => `${JSON.stringify(document, null, 2)}\n`;

function pathItem(path: string, routes: PreparedRoute[], schemas: Schemas): Schema {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return names.length ? { parameters: names.map(name => pathParameter(name, routes, schemas)) } : {};
}

/** The type and example of an id come from the record that is read by it; a time zone has a name instead of an id. */
function pathParameter(name: string, routes: PreparedRoute[], schemas: Schemas): Schema {
  const item = routes.find(({ route: [method, path] }) => method === 'GET' && path.endsWith(`/:${name}`))!;
  const { response } = createExample(describeResponse(item.operation, schemas), schemas.all) as {
    response: { id?: unknown; name?: unknown };
  };
  return {
    name,
    in: 'path',
    required: true,
    schema: { type: schemas.idType([getNamedType(rootField(item).type).name], 'id') },
    example: response.id ?? response.name,
  };
}
