import { expect } from '@jest/globals';

export interface ReceivedEvent {
  id?: string;
  event?: string;
  data: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what they access
  json: any;
}

export interface TestStream {
  status: number;
  headers: Headers;
  /** The next event; null at the end of the stream. Fails if none arrives in time. */
  next(): Promise<ReceivedEvent | null>;
  close(): void;
}

const timeoutMs = 15_000;

/** Opens a stream of server-sent events. */
export async function openEvents(url: string, init: RequestInit = {}): Promise<TestStream> {
  const abort = new AbortController();
  const response = await fetch(url, { ...init, signal: abort.signal });
  const events = parseEvents(response);
  return {
    status: response.status,
    headers: response.headers,
    next: async () => {
      const timer = setTimeout(() => abort.abort(new Error('no event arrived in time')), timeoutMs);
      try {
        const { value, done } = await events.next();
        return done ? null : value;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => abort.abort(),
  };
}

async function* parseEvents({ body }: Response): AsyncGenerator<ReceivedEvent, undefined> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const event = parseEvent(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) yield event;
    }
  }
  expect(text).toBe('');
  return undefined;
}

/** Null: a comment, or the time to wait before connecting again. */
function parseEvent(block: string): ReceivedEvent | null {
  const fields = Object.fromEntries(
    block
      .split('\n')
      .filter(line => !line.startsWith(':'))
      .map(line => line.split(/: ?(.*)/s) as [string, string]),
  );
  if (fields.data === undefined) return null;
  const { id, event, data } = fields;
  return { id, event, data, json: data?.startsWith('{') ? JSON.parse(data) : undefined };
}
