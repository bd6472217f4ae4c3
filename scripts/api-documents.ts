import { HTTPSnippet, type HarRequest } from '@readme/httpsnippet';
import { cell, fence, renderTable, toJson } from './markdown.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of OpenAPI nests JSON of many shapes.
type Json = Record<string, any>;

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
  summary: string;
  parameters: Json[];
  request: HarRequest;
  requestExamples: [string, Json][];
  bodySchema: string | undefined;
  status: string;
  response: Json | undefined;
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
    summary: operation.summary,
    parameters,
    request: toRequest(method, url, bodyType, requestExamples[0]?.[1], operation.security),
    requestExamples,
    bodySchema: body?.schema.$ref?.split('/').at(-1),
    status,
    response: success.content?.['application/json']?.example,
  };
}

const resolve = (openApi: Json, one: Json): Json =>
  one.$ref
    ? one.$ref
        .slice(2)
        .split('/')
        .reduce((node: Json, key: string) => node[key], openApi)
    : one;

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
  return `# ${title}\n\nWritten by \`npm run schema\` from [openapi.json](../../openapi.json).\n\n${operations
    .map(operation => renderOperation(openApi, operation))
    .join('\n')}`;
}

function renderOperation(openApi: Json, operation: Operation): string {
  const { title, summary, parameters, requestExamples, bodySchema, status, response } = operation;
  const fields = bodySchema ? Object.entries<Json>(openApi.components.schemas[bodySchema].properties) : [];
  const more = requestExamples.slice(1).map(([name, value]) => `Body, ${name}:\n\n${fence('json', toJson(value))}`);
  const parts = [
    `## ${title}\n\n${summary}\n`,
    renderTable(
      'Parameter',
      parameters.map(one => [`\`${one.name}\` (${one.in})`, cell(one.description ?? 'Required.')]),
    ),
    renderTable(
      'Field of the body',
      fields.map(([name, schema]) => [`\`${name}\``, cell(schema.description)]),
    ),
    ...renderRequests(operation.request),
    ...more,
    response ? `Response ${status}:\n\n${fence('json', toJson(response))}` : `Response ${status}, without a body.\n`,
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
    operations.map(({ title, summary }) => {
      const anchor = title
        .toLowerCase()
        .replaceAll(' ', '-')
        .replace(/[^\w-]/g, '');
      return `| [${title}](${tag}.md#${anchor}) | ${cell(summary)} |\n`;
    }),
  );
  return `# Reference of the REST API

Written by \`npm run schema\` from [openapi.json](../../openapi.json); a test fails when it is out of date. Other tests send
each request to a service, and validate each response against its schema. PUT is the same as PATCH.
[The REST API](../rest-api.md) explains tokens, filters, includes, paging and errors; that of GraphQL has
[a schema and an editor](../graphql-api.md).

| Endpoint | |
|---|---|
${rows.join('')}`;
}
