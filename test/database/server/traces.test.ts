import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Attributes,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { runInSpan } from '../../../src/core/tracing.js';
import { startWorker } from '../../../src/notifications/delivery/worker.js';
import { createPublishingPage } from '../../support/ledger.js';
import { createRecordingChannels } from '../../support/recording-channels.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { requestPage } from '../../support/visitor.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

interface Span {
  name: string;
  attributes: Attributes | undefined;
  events: string[];
}

/** What the service uses of the interface that an SDK implements. */
const createRecordingTracer = (spans: Span[]) => ({
  startActiveSpan(name: string, { attributes }: SpanOptions, run: (span: unknown) => unknown) {
    const events: string[] = [];
    spans.push({ name, attributes, events });
    return run({
      recordException: ({ message }: Error) => events.push(message),
      setStatus: ({ code }: SpanStatus) => events.push(SpanStatusCode[code]),
      end: () => events.push('end'),
    });
  },
});

describe('with an SDK of OpenTelemetry', () => {
  const service = useOwnService(withChannels);
  const spans: Span[] = [];
  const find = (name: string) => spans.filter(span => span.name === name);
  beforeAll(() => {
    const tracer = createRecordingTracer(spans) as unknown as Tracer;
    trace.setGlobalTracerProvider({ getTracer: () => tracer });
  });
  afterAll(() => trace.disable());

  test('a render of a page is a span with its page and route', async () => {
    const page = await createPublishingPage(service);
    await requestPage(service.url, 'localhost', `/status/${page.id}/history`);
    const attributes = { 'all_clear.page': page.id, 'all_clear.route': 'history' };
    expect(find('render')).toContainEqual({ name: 'render', attributes, events: ['end'] });
  });

  test('an error is recorded in the span, and is thrown', async () => {
    const failure = runInSpan('failing', {}, () => Promise.reject(new Error('It failed.')));
    await expect(failure).rejects.toThrow('It failed.');
    expect(find('failing')).toEqual([{ name: 'failing', attributes: {}, events: ['It failed.', 'ERROR', 'end'] }]);
  });

  test('deliveries that are sent together on a channel are a span', async () => {
    const page = await createPublishingPage(service);
    const { adapters } = createRecordingChannels();
    await page.subscribe('one@example.com');
    const stop = startWorker(service.database, { adapters, retryHours: 24 });
    try {
      await page.notice({ initial_comment: 'We look.' });
      const attributes = { 'all_clear.channel': 'email', 'all_clear.deliveries': 1 };
      await waitUntilEqual(
        async () => find('send deliveries').filter(span => span.attributes!['all_clear.channel'] === 'email'),
        [{ name: 'send deliveries', attributes, events: ['end'] }],
      );
    } finally {
      await stop();
    }
  });
});
