import { HTTPSnippet, type HarRequest } from '@readme/httpsnippet';
import { type Json, listProperties, renderFields, resolve } from './api-fields.ts';
import { cell, fence, renderTable, toJson } from './markdown.ts';

/** The library's fetch and Ruby do not read the file of an upload. */
const languages = [
  { name: 'curl', target: 'shell', client: 'curl', fence: 'sh', canUpload: true },
  { name: 'JavaScript', target: 'javascript', client: 'fetch', fence: 'js', canUpload: false },
  { name: 'Python', target: 'python', client: 'requests', fence: 'python', canUpload: true },
  { name: 'Ruby', target: 'ruby', client: 'native', fence: 'ruby', canUpload: false },
] as const;
const methods = ['get', 'post', 'patch', 'delete'] as const;

/**
 * The reference of the REST API in Markdown: by name of the file in docs/api, a text for each tag of an OpenAPI document,
 * and README.md, which lists them. Requests are the examples of the document, in four languages.
 */
export function renderApiDocuments(openApi: Json): Map<string, string> {
  const operations = Object.entries<Json>(openApi.paths).flatMap(([path, item]) =>
    methods.filter(method => item[method]).map(method => toOperation(openApi, path, method)),
  );
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const files = [...byTag].map(([tag, members]) => [`${tag}.md`, renderTag(openApi, tag, members)] as const);
  return new Map([['README.md', renderIndex(byTag)], ...files]);
}

interface Operation {
  tag: string;
  title: string;
  description: string;
  parameters: Json[];
  request: HarRequest;
  requestExamples: [string, Json][];
  bodySchema: Json | undefined;
  status: string;
  response: Json | undefined;
  /** The names of the schemas of its records. */
  records: string[];
  errors: [status: string, description: string][];
}

function toOperation(openApi: Json, path: string, method: (typeof methods)[number]): Operation {
  const { [method]: operation, parameters: inPath = [] } = openApi.paths[path] as Json;
  const [status, success] = Object.entries<Json>(operation.responses).find(([code]) => code.startsWith('2'))!;
  const parameters = [...inPath, ...(operation.parameters ?? [])].map(one => resolve(openApi, one));
  const [bodyType, body] = Object.entries<Json>(operation.requestBody?.content ?? {})[0] ?? [];
  const requestExamples = Object.entries<Json>(body?.examples ?? {}).map(([name, { value }]): [string, Json] => [
    name,
    value,
  ]);
  const url = `${openApi.servers[0].url}${path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(inPath.find((one: Json) => one.name === name).example),
  )}`;
  return {
    tag: operation.tags[0],
    title: `${method.toUpperCase()} ${path}`,
    description: operation.description,
    parameters,
    request: toRequest(method, url, bodyType, requestExamples[0]?.[1], operation.security),
    requestExamples,
    bodySchema: body?.schema,
    status,
    response: success.content?.['application/json']?.example,
    records: nameRecords(success.content?.['application/json']?.schema),
    errors: Object.entries<Json>(operation.responses)
      .filter(([code]) => code >= '400')
      .map(([code, response]) => [code, resolve(openApi, response).description]),
  };
}

/** The schemas that the records of a response name, at any depth: `{ response: [Notice] }`. */
const nameRecords = (schema: Json = {}): string[] => {
  const { response } = schema.properties ?? {};
  const record: Json = response?.items ?? response ?? {};
  return [record, ...(record.allOf ?? [])].flatMap(({ $ref }: Json) => ($ref ? [$ref.split('/').at(-1)!] : []));
};

function toRequest(method: string, url: string, type?: string, body?: Json, security?: unknown[]): HarRequest {
  const headers = [
    ...(security?.length === 0 ? [] : [{ name: 'Authorization', value: 'Bearer YOUR_TOKEN' }]),
    ...(body && type !== 'multipart/form-data' ? [{ name: 'Content-Type', value: type! }] : []),
  ];
  const params = Object.entries(body ?? {}).map(([name]) => ({ name, fileName: `${name}.zip` }));
  const postData = body && {
    mimeType: type!,
    ...(type === 'multipart/form-data' ? { params } : { text: JSON.stringify(body) }),
  };
  return {
    method: method.toUpperCase(),
    url,
    httpVersion: 'HTTP/1.1',
    headers,
    ...(postData && { postData }),
    cookies: [],
    queryString: [],
    headersSize: -1,
    bodySize: -1,
  } as HarRequest;
}

function renderTag(openApi: Json, tag: string, operations: Operation[]): string {
  const title = tag.replaceAll('_', ' ').replace(/^./, letter => letter.toUpperCase());
  const { description } = openApi.tags.find(({ name }: Json) => name === tag);
  const names = [...new Set(operations.flatMap(({ records }) => records))];
  const records = names.map(name => {
    const schema = openApi.components.schemas[name];
    return [
      `**${name}.** ${schema.description ?? ''}\n`,
      renderFields(openApi, 'Field', listProperties(openApi, schema)),
    ];
  });
  const head = [
    `# ${title}\n`,
    `${description} Written by \`npm run schema\` from [openapi.json](../../openapi.json).\n`,
  ];
  return [...head, ...records.flat(), ...operations.map(operation => renderOperation(openApi, operation))].join('\n');
}

function renderOperation(openApi: Json, operation: Operation): string {
  const { title, description, parameters, requestExamples, bodySchema, status, response, errors } = operation;
  const more = requestExamples.slice(1).map(([name, value]) => `Body, ${name}:\n\n${fence('json', toJson(value))}`);
  const inBody = bodySchema ? listProperties(openApi, bodySchema) : [];
  const parts = [
    `## ${title}\n\n${description}\n`,
    renderFields(
      openApi,
      'Parameter',
      parameters.map(({ name, in: place, schema, required, description: text }) => ({
        name,
        note: ` (${place})`,
        isRequired: required === true,
        schema: { ...schema, description: text ?? '' },
      })),
    ),
    renderFields(openApi, 'Field of the body', inBody),
    ...renderRequests(operation.request),
    ...more,
    response ? `Response ${status}:\n\n${fence('json', toJson(response))}` : `Response ${status}, without a body.\n`,
    renderTable(
      'Error',
      errors.map(([code, text]) => [code, cell(text)]),
    ),
  ];
  return parts.filter(Boolean).join('\n');
}

function renderRequests(request: HarRequest): string[] {
  const isUpload = request.postData?.mimeType === 'multipart/form-data';
  return languages
    .filter(({ canUpload }) => canUpload || !isUpload)
    .map(({ name, target, client, fence: language }) => {
      const [text] = new HTTPSnippet(request).convert(target, client) as string[];
      return `${name}:\n\n${fence(language, text!)}`;
    });
}

function renderIndex(byTag: Map<string, Operation[]>): string {
  const rows = [...byTag].flatMap(([tag, operations]) =>
    operations.map(({ title, description }) => {
      const anchor = title
        .toLowerCase()
        .replaceAll(' ', '-')
        .replace(/[^\w-]/g, '');
      return `| [${title}](${tag}.md#${anchor}) | ${cell(description)} |\n`;
    }),
  );
  return `# Reference of the REST API

Written by \`npm run schema\` from [openapi.json](../../openapi.json); a test fails when it is out of date. Other tests send
each request to a service, and validate each response against its schema. PUT is the same as PATCH.
[The REST API](../rest-api.md) explains tokens, filters, includes, paging, [errors](../rest-api.md#errors) and the headers of each
response; that of GraphQL has [a schema and an editor](../graphql-api.md).

| Endpoint | |
|---|---|
${rows.join('')}`;
}
