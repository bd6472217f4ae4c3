import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

export interface PageResponse {
  etag: string;
  headers: string[];
  body: Buffer;
}

/** Returns the response as sent, without the headers that Node adds. */
export function requestPage(url: string, headers: Record<string, string>): Promise<PageResponse> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, response => {
      const parts: Buffer[] = [];
      response.on('data', part => parts.push(part));
      response.on('end', () => {
        const ownHeaders = response.rawHeaders.flatMap((value, index) =>
          index % 2 || /^(date|connection|keep-alive)$/i.test(value) ? [] : [[value, response.rawHeaders[index + 1]!]],
        );
        resolve({ etag: response.headers.etag!, headers: ownHeaders.flat(), body: Buffer.concat(parts) });
      });
    })
      .on('error', reject)
      .end();
  });
}

/** Saves a response for page-limit.ts, and returns its environment. */
export function saveResponse(folder: string, { etag, headers, body }: PageResponse): Record<string, string> {
  const notModified = headers.flatMap((name, index) =>
    index % 2 || /^content-(type|length|encoding)$/i.test(name) ? [] : [name, headers[index + 1]!],
  );
  const files = { RESPONSE: join(folder, 'response.json'), BODY: join(folder, 'body') };
  writeFileSync(files.RESPONSE, JSON.stringify({ status: 200, headers, notModified, etag }));
  writeFileSync(files.BODY, body);
  return files;
}
