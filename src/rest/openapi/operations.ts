import { getNamedType, isInterfaceType, isObjectType, Kind } from 'graphql';
import { type AnonymousReads, requireAccess } from '../../auth/access.js';
import type { PreparedRoute } from '../operation.js';
import { describeResponse } from './responses.js';
import { commonHeaders, documentedErrors } from './components.js';
import { createResponseExample } from './response-examples.js';
import { describeQueryParameters, describeRequestBody } from './requests.js';
import type { Schema, Schemas } from './schemas.js';

export function operationObject(
  prepared: PreparedRoute,
  routes: readonly PreparedRoute[],
  schemas: Schemas,
  reads: AnonymousReads,
): Schema {
  const { operation, route, access } = prepared;
  const [method] = route;
  const root = rootField(prepared);
  const body = describeRequestBody(prepared, schemas);
  return {
    operationId: operation.operation.name!.value,
    summary: firstSentence(root.description!),
    description: root.description,
    tags: [findTag(prepared, routes)],
    parameters: [...describeQueryParameters(prepared, schemas), ...headerParameters(prepared)],
    ...(body && { requestBody: body }),
    responses: { ...success(prepared, schemas), ...refusals(prepared) },
    ...(allowsAnonymous(access, reads) && { security: [{ token: [] }, {}] }),
    ...(method !== 'GET' && { 'x-required-scope': 'write' }),
  };
}

/** The resource of a path: its last part that can be read. `data` of a metric only takes values. */
function findTag({ route: [, path] }: PreparedRoute, routes: readonly PreparedRoute[]): string {
  const lastName = (text: string) => text.split('/').findLast(part => part && !part.startsWith(':'))!;
  const readable = new Set(routes.filter(({ route }) => route[0] === 'GET').map(({ route }) => lastName(route[1])));
  return path.split('/').findLast(part => readable.has(part))!;
}

const firstSentence = (text: string) => text.split(/(?<=\.) /)[0]!;

/** Whether anonymous callers may use it, with the settings of this service. */
function allowsAnonymous(access: PreparedRoute['access'], reads: AnonymousReads): boolean {
  try {
    requireAccess({ kind: 'anonymous', reads }, access);
    return true;
  } catch {
    return false;
  }
}

export function rootField({ operation }: PreparedRoute) {
  const [selection] = operation.operation.selectionSet.selections;
  return operation.root.getFields()[selection?.kind === Kind.FIELD ? selection.name.value : '']!;
}

const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` });
const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });
const takesVersion = ({ operation }: PreparedRoute) =>
  operation.operation.variableDefinitions!.some(({ variable }) => variable.name.value === 'if_version');

function headerParameters(prepared: PreparedRoute): Schema[] {
  const [method] = prepared.route;
  const names = [
    method === 'POST' && 'IdempotencyKey',
    takesVersion(prepared) && 'IfMatch',
    hasVersion(prepared) && method === 'GET' && 'IfNoneMatch',
    (method === 'PATCH' || method === 'DELETE') && 'MethodOverride',
  ];
  return names.filter(name => name !== false).map(parameter);
}

/** Whether the response is a single record with a version, and so carries an ETag. */
function hasVersion(prepared: PreparedRoute): boolean {
  const type = getNamedType(rootField(prepared).type);
  if (prepared.operation.root.name === 'Mutation') return prepared.route[0] !== 'DELETE';
  return (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().some(({ name }) => name === 'Record');
}

function success(prepared: PreparedRoute, schemas: Schemas): Record<string, Schema> {
  const [method] = prepared.route;
  if (method === 'DELETE') return { 204: { description: 'Deleted. The body is empty.', headers: commonHeaders } };
  const schema = describeResponse(prepared.operation, schemas);
  const headers = {
    ...(hasVersion(prepared) && { ETag: header('ETag') }),
    ...(method === 'POST' && { Location: header('Location'), 'Idempotency-Replayed': header('IdempotencyReplayed') }),
    ...commonHeaders,
  };
  const example = createResponseExample(prepared.operation.operation.name!.value, schema, schemas.all);
  const content = { 'application/json': { schema, example } };
  const response = {
    description: { POST: 'Created.', PATCH: 'The record after the change.' }[method as string] ?? 'Successful.',
    headers,
    content,
  };
  return {
    [method === 'POST' ? 201 : 200]: response,
    ...(method === 'GET' &&
      hasVersion(prepared) && {
        304: {
          description: 'Not modified: the ETag in If-None-Match is current.',
          headers: { ETag: header('ETag'), ...commonHeaders },
        },
      }),
  };
}

/** The refusals that this operation can answer with. */
function refusals(prepared: PreparedRoute): Record<string, Schema> {
  const [method, path] = prepared.route;
  const isWrite = method !== 'GET';
  const conditions: Record<string, boolean> = {
    Forbidden: isWrite,
    NotFound: path.includes(':'),
    Conflict: method === 'POST',
    Gone: path.includes(':page_id'),
    PreconditionFailed: takesVersion(prepared),
    PayloadTooLarge: isWrite,
    InvalidResource: prepared.input !== undefined,
  };
  return Object.fromEntries(
    Object.entries(documentedErrors)
      .filter(([name]) => conditions[name] ?? true)
      .map(([name, { status }]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
