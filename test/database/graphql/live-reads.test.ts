import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Agent, interceptors, request } from 'undici';
import type { Service } from '../../../src/server/service.js';
import { openEvents } from '../../support/event-stream.js';
import { createPage } from '../../support/factories.js';
import { propertyRuns } from '../../support/property-runs.js';
import { startSecondService } from '../../support/second-service.js';
import { startTestService, type TestService } from '../../support/service.js';

const folder = mkdtempSync(join(tmpdir(), 'live-reads-'));
const trustedDocuments = join(folder, 'documents.json');
const document =
  'query Overview($page: ID!) { page(id: $page) { name state notices(first: 5) { nodes { subject } } } }';
const subscription = 'subscription($page: ID!) { pageChanged(pageId: $page) { cursor page { name } } }';
/** TEST_ROUNDS: more of them, for a measurement. */
const rounds = Number(process.env.TEST_ROUNDS ?? propertyRuns(200).numRuns);

let service: TestService;
let other: Service | null;
beforeAll(async () => {
  writeFileSync(trustedDocuments, JSON.stringify({ overview: document }));
  service = await startTestService({ trustedDocuments });
  other = await startSecondService(service, { trustedDocuments });
});
afterAll(async () => {
  await other?.stop();
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** A reader without a token, with a cache of its own, as a browser has one. */
class Reader {
  readonly dispatcher = new Agent().compose(interceptors.cache({ type: 'private' }));
  private readonly origin: string;
  private readonly page: string;
  readonly refusals: string[] = [];
  private cursor = '';
  private isReading = true;
  private readonly reading: Promise<void>;

  constructor(origin: string, page: string) {
    this.origin = origin;
    this.page = page;
    this.reading = this.readAgainAndAgain();
  }

  /** Its requests are in progress while the page changes. */
  private async readAgainAndAgain(): Promise<void> {
    while (this.isReading) await Promise.all(this.readAll());
  }

  async stop(): Promise<void> {
    this.isReading = false;
    await this.reading;
  }

  follow = () =>
    openEvents(`${this.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: subscription, variables: { page: this.page } }),
    });

  /** The name of the page in each way of reading it. */
  readAll(cursor = this.cursor): Promise<string>[] {
    this.cursor = cursor;
    const variables = JSON.stringify({ page: this.page });
    const byId = new URLSearchParams({ documentId: 'overview', variables, cursor });
    const byText = new URLSearchParams({ query: document, variables });
    const byPost = JSON.stringify({ query: document, variables: { page: this.page } });
    return [
      this.read(`/graphql?${byId}`),
      this.read(`/graphql?${byText}`),
      this.read('/graphql', byPost),
      this.read(`/v1/pages/${this.page}`),
    ];
  }

  /** A refusal that says when to come back is repeated then, as a client does it. */
  private async read(path: string, body?: string): Promise<string> {
    const { dispatcher } = this;
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body } as const;
    for (;;) {
      const response = await request(`${this.origin}${path}`, { dispatcher, ...(body && post) });
      // biome-ignore lint/suspicious/noExplicitAny: one of two shapes
      const json = (await response.body.json()) as any;
      const page = json.data?.page ?? json.response;
      if (page) return page.name;
      const seconds = response.headers['retry-after'] ?? json.errors?.[0].extensions?.retryAfter;
      if (!seconds) throw new Error(`${path}: ${response.statusCode} ${JSON.stringify(json)}`);
      this.refusals.push(`${path.split('?')[0]}: ${response.statusCode}`);
      await setTimeout(Number(seconds) * 1_000);
    }
  }
}

test(
  'what an event announces, the next read shows, in each process and beside other readers',
  async () => {
    const { id, path } = await createPage(service, { name: 'Round 0' });
    const origins = [service.url, other ? `http://127.0.0.1:${other.port}` : service.url];
    const readers = origins.map(origin => new Reader(origin, id));
    const streams = await Promise.all(readers.map(reader => reader.follow()));
    const late: string[] = [];
    for (let round = 1; round <= rounds; round++) {
      const name = `Round ${round}`;
      const write = service.patch(path, { name });
      await Promise.all(
        readers.map(async (reader, index) => {
          let event: { cursor: string; page: { name: string } };
          do event = (await streams[index]!.next())!.json.data.pageChanged;
          while (event.page.name !== name);
          const read = await Promise.all(reader.readAll(event.cursor));
          if (read.some(one => one !== name)) late.push(`${name}, reader ${index}: ${read}`);
        }),
      );
      expect((await write).status).toBe(200);
    }
    for (const stream of streams) stream.close();
    await Promise.all(readers.map(reader => reader.stop()));
    // A measurement says how often a reader had to come back.
    if (process.env.TEST_ROUNDS) console.info({ rounds, refusals: readers.flatMap(({ refusals }) => refusals) });
    expect(late).toEqual([]);
  },
  Math.max(60_000, rounds * 1_000),
);
