import { beforeEach, describe, expect, test } from '@jest/globals';
import { publishDueDrafts } from '../../../src/notices/drafts/draft.automation.js';
import { createInputFormat } from '../../../src/notices/drafts/input-format.js';
import { schema } from '../../../src/schema.js';
import { describeInBrowser } from '../../support/browser.js';
import { desktop, findFlaws, phone, useConsole } from '../../support/console.js';
import { createNotice, createPage, createSubscriber, createUpdate } from '../../support/factories.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

describeInBrowser('The drafts of a page', () => {
  let page: { id: string; path: string };
  const { service, signIn } = useConsole();
  beforeEach(async () => {
    page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    await createSubscriber(service, page.path);
  });
  const listSubjects = async (field: 'notices' | 'drafts') => {
    const { json } = await service.graphql(`query($page: ID!) { ${field}(pageId: $page) { nodes { subject } } }`, {
      page: page.id,
    });
    return (json.data[field].nodes as { subject: string }[]).map(({ subject }) => subject);
  };
  const asDrafter = () => signIn({ role: 'drafter', pageIds: [page.id] });
  const asPublisher = (options = {}) => signIn({ role: 'publisher', pageIds: [page.id], ...options });

  describe('a review', () => {
    test('leads a publisher by a link to what the drafter saw, who publishes exactly that', async () => {
      const drafter = await asDrafter();
      await drafter.open('/new/incident');
      const ask = drafter.page.getByRole('button', { name: 'Ask for a review' });
      await ask.click();
      await drafter.page.getByText('Enter a subject.').waitFor();
      await drafter.page.getByLabel('Subject').fill('Cards are declined');
      // The one that stands out, always in sight, as that of a publisher does.
      expect(await ask.evaluate(button => getComputedStyle(button.parentElement!).position)).toBe('sticky');
      const colourOf = (name: string) =>
        drafter.page.getByRole('button', { name }).evaluate(button => getComputedStyle(button).backgroundColor);
      expect(await colourOf('Ask for a review')).not.toBe(await colourOf('Save as a draft'));
      expect(await findFlaws(drafter.page)).toEqual([]);
      const saved: string[] = [];
      drafter.page.on('request', request => {
        if (request.postData()?.includes('SaveDraft')) saved.push(request.url());
      });
      // Twice, before the button is disabled.
      await drafter.page.evaluate(`for (const key of ['Enter', 'Enter'])
        document.querySelector('[name=subject], main form input').dispatchEvent(
          new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true }))`);
      await drafter.page.getByRole('heading', { name: 'Cards are declined' }).waitFor();
      expect(saved).toHaveLength(1);
      await drafter.page.getByText('A publisher reviews and publishes this.').waitFor();
      const link = (await drafter.page.locator('details pre').textContent())!;
      expect(await drafter.page.getByRole('button', { name: /^Publish/ }).count()).toBe(0);
      expect(await findFlaws(drafter.page)).toEqual([]);
      expect(drafter.problems).toEqual([]);

      const publisher = await asPublisher();
      await publisher.page.goto(link);
      await publisher.page.frameLocator('iframe').getByText('Cards are declined').first().waitFor();
      expect(await publisher.page.getByText('Since the review was asked for').count()).toBe(0);
      await publisher.page.getByRole('button', { name: 'Publish and notify 1 person' }).click();
      await publisher.page.waitForURL(/\/notices\/\d+\?publication=\d+$/);
      expect(await listSubjects('notices')).toEqual(['Cards are declined']);
      expect(await listSubjects('drafts')).toEqual([]);
    });

    test('says what has changed since it was asked for', async () => {
      const drafter = await asDrafter();
      await drafter.open('/new/incident');
      await drafter.page.getByLabel('Subject').fill('Cards are declined');
      await drafter.page.getByRole('button', { name: 'Ask for a review' }).click();
      const link = (await drafter.page.locator('details pre').textContent())!;
      await createSubscriber(service, page.path, { email: 'grace@acme.example' });
      const publisher = await asPublisher({ viewport: phone });
      await publisher.page.goto(link);
      await publisher.page.getByText('Since the review was asked for, this has changed: who is notified.').waitFor();
      await publisher.page.getByRole('button', { name: 'Publish and notify 2 people' }).waitFor();
      expect(await findFlaws(publisher.page)).toEqual([]);
    });
  });

  test('are continued where they were left, listed and deleted', async () => {
    const { page: screen, open, problems } = await asPublisher({ viewport: desktop });
    await open('/new/maintenance');
    await screen.getByLabel('Subject').fill('Invoices move');
    await screen.getByLabel('Reminder').selectOption('One day before');
    await screen.getByRole('button', { name: 'Save as a draft' }).click();
    await screen.waitForURL(/\/new\/maintenance\?page=\w+&draft=\d+$/);
    await open(`/pages/${page.id}/drafts`);
    await screen.getByText(/Maintenance · Draft, saved by publisher-/).waitFor();
    expect(await findFlaws(screen)).toEqual([]);
    await screen.getByRole('link', { name: 'Continue Invoices move' }).click();
    await screen.getByText(/^Draft, saved by/).waitFor();
    expect(await screen.getByLabel('Subject').inputValue()).toBe('Invoices move');
    expect(await screen.getByLabel('Reminder').inputValue()).toBe('ONE_DAY');
    await screen.getByLabel('Subject').fill('Invoices move twice');
    await screen.getByRole('button', { name: 'Save as a draft' }).click();
    await waitUntilEqual(() => listSubjects('drafts'), ['Invoices move twice']);
    await open(`/pages/${page.id}/drafts`);
    await screen.getByRole('button', { name: 'Delete' }).click();
    await screen.getByRole('button', { name: 'Delete this draft?' }).click();
    await screen.getByText('There are no drafts.').waitFor();
    expect(problems).toEqual([]);
  });

  test('are published later, by a time in the zone of the page, until that is cancelled', async () => {
    await service.patch(page.path, { timezone: 'Tokyo' });
    const { page: screen, open, problems } = await asPublisher({ viewport: phone });
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const shown = await screen.evaluate(
      ([time, isThisYear]) =>
        new Intl.DateTimeFormat('en-GB', {
          weekday: 'short',
          day: 'numeric',
          month: 'short',
          hour: '2-digit',
          minute: '2-digit',
          year: isThisYear ? undefined : 'numeric',
        }).format(new Date(time)),
      [`${day}T00:00:00Z`, day.startsWith(String(new Date().getFullYear()))] as const,
    );
    await open('/new/announcement');
    await screen.getByLabel('Subject').fill('Opening hours');
    await screen.getByRole('button', { name: 'Publish later …' }).click();
    await screen.getByLabel('Publish and notify at (time zone of the page: Tokyo)').fill(`${day}T09:00`);
    await screen.getByText(`${shown} your time`).waitFor();
    expect(await findFlaws(screen)).toEqual([]);
    await screen.getByRole('button', { name: 'Schedule and notify 1 person' }).click();
    await screen.getByText(`Will be published on ${shown}`).waitFor();
    expect(await findFlaws(screen)).toEqual([]);
    for (const path of ['/', `/pages/${page.id}/drafts`]) {
      await open(path);
      await screen.getByText(`Will be published on ${shown}`).waitFor();
      expect(await findFlaws(screen)).toEqual([]);
    }
    await screen.getByRole('button', { name: 'Cancel' }).click();
    await screen.getByText(/^Will be published/).waitFor({ state: 'detached' });
    expect(await listSubjects('drafts')).toEqual(['Opening hours']);
    expect(problems).toEqual([]);
  });

  test('of an update of a notice are published later, which its screen says', async () => {
    const notice = await createNotice(service, page.path, { subject: 'Cards are declined' });
    const { page: screen, open } = await asPublisher();
    await open(`/pages/${page.id}/notices/${notice.id}`);
    await screen.getByLabel('Text').fill('It is fixed.');
    await screen.getByRole('button', { name: 'Publish later …' }).click();
    await screen.getByRole('button', { name: 'Schedule and notify 1 person' }).click({ trial: true });
    await screen.getByLabel(/^Publish and notify at/).press('Enter');
    await screen.getByText(/^Will be published on/).waitFor();
    await createUpdate(service, notice.path, { should_publish: true });
    await service.database.query('update draft set publish_at = now() - make_interval(secs => 1)');
    await publishDueDrafts(service.database, createInputFormat(schema), { bootstrapToken: '' });
    await screen.reload();
    await screen.getByText(/^This was not published as scheduled\. .* the text would differ/).waitFor();
    expect(await findFlaws(screen)).toEqual([]);
  });

  test('show both versions when somebody else has saved meanwhile, and lose neither', async () => {
    const { page: screen, open } = await asPublisher();
    await open('/new/incident');
    await screen.getByLabel('Subject').fill('First');
    await screen.getByRole('button', { name: 'Save as a draft' }).click();
    await screen.getByText(/^Draft, saved by/).waitFor();
    const id = /draft=(\d+)$/.exec(screen.url())![1];
    await screen.getByLabel('Subject').fill('Mine');
    const saveTheirs = `mutation($page: ID!, $id: ID!) {
      saveDraft(pageId: $page, id: $id, input: { openIncident: { subject: "Theirs", shouldPublish: false } }) { draft { id } } }`;
    await service.graphql(saveTheirs, { page: page.id, id });
    await screen.getByRole('button', { name: 'Save as a draft' }).click();
    const versions = screen.getByRole('alert');
    await versions.getByText('Theirs', { exact: true }).waitFor();
    await versions.getByText('Mine', { exact: true }).waitFor();
    expect(await findFlaws(screen)).toEqual([]);
    expect(await listSubjects('drafts')).toEqual(['Theirs']);
    await screen.getByRole('button', { name: 'Save yours as another draft' }).click();
    await waitUntilEqual(() => listSubjects('drafts'), ['Mine', 'Theirs']);
  });

  test.each([
    ['incident', 'openIncident'],
    ['announcement', 'announce'],
  ])('of an %s are continued where what they name was cleared, as in those of alerts', async (form, verb) => {
    const { json } = await service.graphql(
      'mutation($page: ID!, $input: NoticeChangeInput!) { saveDraft(pageId: $page, input: $input) { draft { id } } }',
      {
        page: page.id,
        input: {
          [verb]: { subject: 'It fails', content: 'Slow.', componentIds: null, templateId: null, shouldPublish: true },
        },
      },
    );
    const { page: screen, open } = await asPublisher();
    await open(`/new/${form}?page=${page.id}&draft=${json.data.saveDraft.draft.id}`);
    expect(await screen.getByLabel('Subject').inputValue()).toBe('It fails');
    await screen.getByRole('button', { name: 'Publish and notify 1 person' }).click();
    await screen.waitForURL(/\/notices\/\d+\?publication=\d+$/);
  });

  test('that somebody else has published while they were continued are not published again', async () => {
    const { page: screen, open } = await asPublisher();
    await open('/new/incident');
    await screen.getByLabel('Subject').fill('Cards are declined');
    await screen.getByRole('button', { name: 'Save as a draft' }).click();
    await screen.getByText(/^Draft, saved by/).waitFor();
    const id = /draft=(\d+)$/.exec(screen.url())![1];
    await screen.getByLabel('Subject').fill('Card payments are declined');
    const publish = screen.getByRole('button', { name: 'Publish and notify 1 person' });
    await publish.click({ trial: true });
    await service.graphql(
      `mutation($page: ID!, $id: ID!) {
         publishDraft(pageId: $page, id: $id, input: { shouldPublish: true }) { notice { id } } }`,
      { page: page.id, id },
    );
    await publish.click();
    await screen.getByText('Nothing was published, since somebody has published or deleted this meanwhile.').waitFor();
    expect(await screen.getByLabel('Subject').inputValue()).toBe('Card payments are declined');
    expect(await listSubjects('notices')).toEqual(['Cards are declined']);
  });

  test('are published once where the response was lost and the screen was loaded again', async () => {
    const { page: screen, open } = await asPublisher();
    await open('/new/incident');
    await screen.getByLabel('Subject').fill('Cards are declined');
    await screen.getByRole('button', { name: 'Save as a draft' }).click();
    await screen.getByText(/^Draft, saved by/).waitFor();
    let isLost = false;
    await screen.route('**/graphql', async route => {
      if (isLost || !route.request().postData()?.includes('mutation PublishOnPages')) return route.fallback();
      await route.fetch();
      isLost = true;
      await screen.reload();
    });
    await screen.getByRole('button', { name: 'Publish and notify 1 person' }).click();
    await screen.waitForURL(/\/notices\/\d+\?publication=\d+$/);
    expect(await listSubjects('notices')).toEqual(['Cards are declined']);
    expect(await listSubjects('drafts')).toEqual([]);
  });

  test('of an update of a notice are continued on its screen, and are gone when they are published', async () => {
    const notice = await createNotice(service, page.path, { subject: 'Cards are declined' });
    const { page: screen, open } = await asPublisher();
    await open(`/pages/${page.id}/notices/${notice.id}`);
    await screen.getByText('Identified', { exact: true }).click();
    await screen.getByRole('button', { name: 'Save as a draft' }).click();
    await screen.waitForURL(/\?draft=\d+$/);
    await screen.getByText(/^Draft, saved by/).waitFor();
    expect(await screen.getByLabel('Identified', { exact: true }).isChecked()).toBe(true);
    await screen.getByRole('button', { name: 'Publish and notify 1 person' }).click();
    await screen.locator('ol').getByText('We have found the cause').waitFor();
    await waitUntilEqual(() => listSubjects('drafts'), []);
  });
});
