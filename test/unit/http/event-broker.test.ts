import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import { EventBroker } from '../../../src/http/event-broker.js';
import type { EventStreams } from '../../../src/http/event-stream.js';
import { collectGarbage } from '../../support/collect-garbage.js';

test('an event that was sent is not kept', async () => {
  const sent: WeakRef<Uint8Array>[] = [];
  const stream = { send: (event: Uint8Array) => void sent.push(new WeakRef(event)), end() {} };
  const streams = { close() {}, open: () => stream } as unknown as EventStreams;
  const broker = new EventBroker(streams, createLogger('silent'));
  broker.close();
  broker.open('topic', {} as ServerResponse, { cursor: null });
  broker.publish('topic', '1', 'x'.repeat(50_000_000));
  await collectGarbage();
  expect(sent.map(event => event.deref()?.length)).toEqual([undefined]);
  expect(broker.isWatched('topic')).toBe(true);
});
