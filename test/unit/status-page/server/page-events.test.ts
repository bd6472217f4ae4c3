import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { createLogger } from '../../../../src/core/logger.js';
import { EventBroker } from '../../../../src/http/event-broker.js';
import type { EventStreams } from '../../../../src/http/event-stream.js';
import { PageEvents } from '../../../../src/status-page/server/page-events.js';
import type { PageGeneration } from '../../../../src/status-page/server/page-generation.js';

const open = () => {
  const streams: { sent: string[]; isEnded: boolean; close(): void }[] = [];
  const broker = new EventBroker(
    {
      close() {},
      isFull: () => false,
      open: (_response: unknown, _headers: unknown, close: () => void) => {
        const stream = { sent: [] as string[], isEnded: false, close };
        streams.push(stream);
        return {
          send: (event: Uint8Array | string) => void stream.sent.push(String(event)),
          end: () => {
            stream.isEnded = true;
          },
        };
      },
    } as unknown as EventStreams,
    createLogger('silent'),
  );
  broker.close();
  const events = new PageEvents(broker);
  const connect = (generation: PageGeneration) =>
    events.respond({ method: 'GET', headers: {} } as IncomingMessage, {} as ServerResponse, generation, '');
  return { events, streams, connect };
};
const generationOf = (changeId: string, access: object | null) =>
  ({ id: '2017f84a', changeId, snapshot: { page: { access } } }) as unknown as PageGeneration;
const first = { by: 'password', version: 1, domainVersions: {} };
const second = { by: 'password', version: 2, domainVersions: {} };

test.each<[string, object | null, object | null]>([
  ['a page that becomes private', null, first],
  ['another password', first, second],
  ['a page that is private no more', first, null],
])('streams end with %s, whatever the cache of pages has meanwhile forgotten', (_, before, after) => {
  const { events, streams, connect } = open();
  connect(generationOf('1', before));
  events.announce(generationOf('2', after));
  expect(streams[0]).toMatchObject({ isEnded: true, sent: ['id: 1\n\n'] });
});

test('a stream that is opened meanwhile is not one of those that end', () => {
  const { events, streams, connect } = open();
  connect(generationOf('1', first));
  connect(generationOf('2', second));
  expect(streams.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  streams[0]!.close();
  events.announce(generationOf('3', second));
  expect(streams[1]!.sent).toEqual(['id: 2\n\n', 'id: 3\ndata: 3\n\n']);
});

test('a change that leaves the access as it is ends nothing', () => {
  const { events, streams, connect } = open();
  connect(generationOf('1', first));
  events.announce(generationOf('2', { ...first }));
  expect(streams[0]).toMatchObject({ isEnded: false, sent: ['id: 1\n\n', 'id: 2\ndata: 2\n\n'] });
});
