import { getNamedType } from 'graphql';
import { publicAddress } from '../../core/config.js';
import { isKeptAsInteger } from '../../records/integer-column.js';
import type { Database } from '../../db/connection.js';
import { schema as graph } from '../../schema.js';
import type { Prepared } from '../operation.js';
import { answerSchema } from './responses.js';
import { errorSchema, headers, parameters, responses, securitySchemes } from './components.js';
import { introduction } from './introduction.js';
import { exampleOf } from './examples.js';
import { operationObject, rootField } from './operations.js';
import { type Schema, Schemas } from './schemas.js';

/** /v1 as an OpenAPI 3.1 document: made from the routes that answer and the graph that they ask, so that it cannot tell of another interface. */
export function openApiDocument(routes: Prepared[], database: Database): Schema {
  const schemas = new Schemas(database);
  schemas.named('Error', () => errorSchema);
  const paths: Record<string, Schema> = {};
  for (const prepared of routes) {
    const [method, path] = prepared.route;
    const template = path.replace(/:(\w+)/g, '{$1}');
    const item = paths[template] ?? pathItem(path, routes, schemas);
    paths[template] = item;
    const operation = operationObject(prepared, schemas);
    item[method.toLowerCase()] = operation;
    if (method === 'PATCH')
      item.put = {
        ...operation,
        operationId: `${operation.operationId}ByPut`,
        summary: `${operation.summary} PUT does what PATCH does.`,
      };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'All Clear', version: 'v1', description: introduction(graph) },
    servers: [{ url: `${publicAddress().origin}/v1` }],
    security: [{ token: [] }],
    paths,
    components: { schemas: schemas.all, parameters, headers, responses, securitySchemes },
  };
}

function pathItem(path: string, routes: Prepared[], schemas: Schemas): Schema {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return names.length ? { parameters: names.map(name => pathParameter(name, routes, schemas)) } : {};
}

/** An id is what the single record that stands under it shows as its id; what shows none goes by its name. */
function pathParameter(name: string, routes: Prepared[], schemas: Schemas): Schema {
  const item = routes.find(({ route: [method, path] }) => method === 'GET' && path.endsWith(`/:${name}`))!;
  const { response } = exampleOf(answerSchema(item.operation, schemas), schemas.all) as {
    response: { id?: unknown; name?: unknown };
  };
  const isInteger = isKeptAsInteger(schemas.database, [getNamedType(rootField(item).type).name], 'id');
  return {
    name,
    in: 'path',
    required: true,
    schema: { type: isInteger ? 'integer' : 'string' },
    example: response.id ?? response.name,
  };
}
