import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createNotice, createPage, createSubscriber, createUpdate } from '../../support/factories.js';
import { withChannels } from '../../support/settings.js';

/** What is published is what its author has seen. */
describeInBrowser('A publication that would differ from its preview', () => {
  let page: { id: string; path: string };
  const { service, signIn } = useOwnConsole(withChannels);
  beforeAll(async () => {
    page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    await createSubscriber(service, page.path);
  });
  const countPublications = async () => {
    const query = 'query($page: ID!) { publications(pageId: $page) { totalCount } }';
    const { json } = await service.graphql(query, { page: page.id });
    return json.data.publications.totalCount as number;
  };

  test('is refused for another audience, shows both, and is published by the next press', async () => {
    const { page: screen, open } = await signIn({ viewport: phone });
    await open('/new/incident');
    await screen.getByLabel('Subject').fill('Cards are declined');
    await screen.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    await createSubscriber(service, page.path, { email: 'grace@acme.example' });
    const before = await countPublications();
    await screen.getByRole('button', { name: 'Publish and notify 1 person' }).click();
    const alert = screen.getByRole('alert').filter({ hasText: 'the audience would differ from the preview' });
    await alert.first().waitFor();
    const row = screen.getByRole('row', { name: /Who is notified/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual(['E-mail: 1', 'E-mail: 2']);
    expect(await findFlaws(screen)).toEqual([]);
    expect(await countPublications()).toBe(before);
    expect(await screen.getByLabel('Subject').inputValue()).toBe('Cards are declined');
    await screen.getByRole('button', { name: 'Publish and notify 2 people' }).click();
    await screen.waitForURL(/\?publication=\d+$/);
    expect(await countPublications()).toBe(before + 1);
  });

  test('is refused when somebody else has written to the notice', async () => {
    const notice = await createNotice(service, page.path, { subject: 'Two people' });
    const { page: screen, open } = await signIn();
    // Without live updates: as if both pressed their buttons at the same moment.
    await screen.route('**/graphql/stream', route => route.abort());
    await open(`/pages/${page.id}/notices/${notice.id}`);
    await screen.getByText('Identified', { exact: true }).click();
    await screen.getByRole('button', { name: /^Publish and notify \d/ }).waitFor();
    await createUpdate(service, notice.path, { content: 'By somebody else.', should_publish: false });
    await screen.getByRole('button', { name: /^Publish and notify \d/ }).click();
    await screen.getByText(/somebody has changed this meanwhile/).waitFor();
    await screen.locator('ol').getByText('By somebody else.').waitFor();
    expect(await screen.getByLabel('Text').inputValue()).toMatch(/^We have found the cause/);
    await screen.getByRole('button', { name: /^Publish and notify \d/ }).click();
    await screen.locator('ol').getByText('We have found the cause').waitFor();
    await screen.locator('ol').getByText('By somebody else.').waitFor();
  });
});
