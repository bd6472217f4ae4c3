import { type Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface VisitorResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The decompressed body. */
  text: string;
  bytes: Buffer;
}

interface PageRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  /** Whose connections are used. Absent: a new connection. */
  agent?: Agent;
}

/** Sends one request to a page with a Host header, as a browser does. `fetch` does not allow setting that header. */
export function requestPage(
  url: string,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body, agent }: PageRequest = {},
): Promise<VisitorResponse> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request(
      { hostname, port, path, method, headers: { host, ...headers } as Record<string, string>, agent: agent ?? false },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const encoding = response.headers['content-encoding'];
          const decompressed =
            encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
          resolve({ status: response.statusCode!, headers: response.headers, text: decompressed.toString(), bytes });
        });
      },
    )
      .on('error', reject)
      .end(body);
  });
}

/** Repeats a request until its response is as expected; fails after the timeout with the last response. */
export async function waitForResponse(
  send: () => Promise<VisitorResponse>,
  isExpected: (response: VisitorResponse) => boolean,
  timeoutMs = 20_000,
): Promise<VisitorResponse> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const response = await send();
    if (isExpected(response)) return response;
    if (Date.now() > deadline)
      throw new Error(
        `No expected response in ${timeoutMs} ms. Last: ${response.status} ${response.text.slice(0, 500)}`,
      );
    await new Promise(done => setTimeout(done, 10));
  }
}
