import { getNamedType, isInterfaceType, isObjectType, Kind } from 'graphql';
import { check } from '../../auth/access.js';
import type { Prepared } from '../operation.js';
import { answerSchema } from './responses.js';
import { exampleOf } from './examples.js';
import { queryParameters, requestBody } from './requests.js';
import type { Schema, Schemas } from './schemas.js';

/** One operation of the document. */
export function operationObject(prepared: Prepared, schemas: Schemas): Schema {
  const { operation, route, access } = prepared;
  const [method, path] = route;
  const root = rootField(prepared);
  const body = requestBody(prepared, schemas);
  return {
    operationId: operation.operation.name!.value,
    summary: root.description,
    tags: [path.split('/').findLast(part => !part.startsWith(':'))],
    parameters: [...queryParameters(prepared, schemas), ...headerParameters(prepared)],
    ...(body && { requestBody: body }),
    responses: { ...success(prepared, schemas), ...refusals(prepared) },
    ...(isOpen(access) && { security: [{ token: [] }, {}] }),
    ...(method !== 'GET' && { 'x-required-scope': 'write' }),
  };
}

/** Whether it is answered without a token, as this service is set. */
function isOpen(access: Prepared['access']): boolean {
  try {
    check({ kind: 'anonymous' }, access);
    return true;
  } catch {
    return false;
  }
}

export function rootField({ operation }: Prepared) {
  const [selection] = operation.operation.selectionSet.selections;
  return operation.root.getFields()[selection?.kind === Kind.FIELD ? selection.name.value : '']!;
}

const parameter = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` });
const header = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });
const takesVersion = ({ operation }: Prepared) =>
  operation.operation.variableDefinitions!.some(({ variable }) => variable.name.value === 'if_version');

function headerParameters(prepared: Prepared): Schema[] {
  const [method] = prepared.route;
  const names = [
    method === 'POST' && 'IdempotencyKey',
    takesVersion(prepared) && 'IfMatch',
    hasVersion(prepared) && method === 'GET' && 'IfNoneMatch',
    (method === 'PATCH' || method === 'DELETE') && 'MethodOverride',
  ];
  return names.filter(name => name !== false).map(parameter);
}

/** Whether a single record is answered with, which has a version: then the answer carries an ETag. */
function hasVersion(prepared: Prepared): boolean {
  const type = getNamedType(rootField(prepared).type);
  if (prepared.operation.root.name === 'Mutation') return prepared.route[0] !== 'DELETE';
  return (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().some(({ name }) => name === 'Record');
}

function success(prepared: Prepared, schemas: Schemas): Record<string, Schema> {
  const [method] = prepared.route;
  if (method === 'DELETE') return { 204: { description: 'Done; there is no body.' } };
  const schema = answerSchema(prepared.operation, schemas);
  const headers = {
    ...(hasVersion(prepared) && { ETag: header('ETag') }),
    ...(method === 'POST' && { Location: header('Location'), 'Idempotency-Replayed': header('IdempotencyReplayed') }),
  };
  const content = { 'application/json': { schema, example: exampleOf(schema, schemas.all) } };
  const answered = {
    description: { POST: 'What was made.', PATCH: 'As it is now.' }[method as string] ?? 'As it is.',
    ...(Object.keys(headers).length && { headers }),
    content,
  };
  return {
    [method === 'POST' ? 201 : 200]: answered,
    ...(method === 'GET' &&
      hasVersion(prepared) && {
        304: { description: 'It is as If-None-Match says.', headers: { ETag: header('ETag') } },
      }),
  };
}

/** Which of the closed list of refusals can be met here. */
function refusals(prepared: Prepared): Record<string, Schema> {
  const [method, path] = prepared.route;
  const writes = method !== 'GET';
  const possible: [status: number, possible: boolean][] = [
    [400, true],
    [401, true],
    [403, writes],
    [404, path.includes(':')],
    [409, method === 'POST'],
    [412, takesVersion(prepared)],
    [413, writes],
    [422, prepared.input !== undefined],
    [429, true],
    [500, true],
    [503, true],
  ];
  return Object.fromEntries(
    possible.filter(([, here]) => here).map(([status]) => [status, { $ref: '#/components/responses/Error' }]),
  );
}
