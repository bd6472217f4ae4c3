import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { describeInBrowser, useBrowser } from '../../support/browser.js';
import { phone, signIn, startConsoleServiceBehindProxy } from '../../support/console.js';
import { createPage, createSubscriber } from '../../support/factories.js';
import { createRandom, publishThroughCut } from '../../support/network-cuts.js';
import type { TestService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import type { TcpProxy } from '../../support/tcp-proxy.js';

jest.setTimeout(180_000);

/** `npm run bench -- network-cuts` does the same 200 times. */
const cuts = 12;
const seed = Number(process.env.CUTS_SEED ?? Math.floor(Math.random() * 2 ** 31));

describeInBrowser('Publishing on a network that is cut', () => {
  let service: TestService;
  let proxy: TcpProxy;
  const browser = useBrowser();
  let page: { id: string; path: string };
  beforeAll(async () => {
    ({ service, proxy } = await startConsoleServiceBehindProxy(withChannels));
    page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    await createSubscriber(service, page.path);
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

  test(`loses and doubles nothing (CUTS_SEED=${seed})`, async () => {
    const { page: screen } = await signIn(service, browser, { viewport: phone });
    const random = createRandom(seed);
    const subjects = Array.from({ length: cuts }, (_, number) => `Cut ${number}`);
    for (const subject of subjects) await publishThroughCut(screen, service.url, proxy, random, subject);
    const { json } = await service.graphql(
      `query($page: ID!) {
        notices(pageId: $page, first: 100) { nodes { subject } }
        publications(pageId: $page, first: 100) { nodes { subject } } }`,
      { page: page.id },
    );
    const listed = (list: { nodes: { subject: string }[] }) => list.nodes.map(({ subject }) => subject).sort();
    expect(listed(json.data.notices)).toEqual(subjects.toSorted());
    expect(listed(json.data.publications)).toEqual(subjects.toSorted());
  });
});
