import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface Seen {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Unpacked. */
  text: string;
  bytes: Buffer;
}

/** One request by a visitor of a page, who names the host as a browser does: `fetch` would not let us. */
export function visit(
  url: string,
  host: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string | string[]>; body?: string } = {},
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request(
      { hostname, port, path, method, headers: { host, ...headers } as Record<string, string>, agent: false },
      response => {
        const parts: Buffer[] = [];
        response.on('data', part => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(parts);
          const encoding = response.headers['content-encoding'];
          const plain =
            encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
          resolve({ status: response.statusCode!, headers: response.headers, text: plain.toString(), bytes });
        });
      },
    )
      .on('error', reject)
      .end(body);
  });
}

/** Asks again and again until it is so; fails after the bound, with what was seen last. */
export async function eventually(
  look: () => Promise<Seen>,
  isSo: (seen: Seen) => boolean,
  boundMilliseconds = 5_000,
): Promise<Seen> {
  const until = Date.now() + boundMilliseconds;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (Date.now() > until)
      throw new Error(`It did not come to be so. Seen last: ${seen.status} ${seen.text.slice(0, 500)}`);
  }
}
