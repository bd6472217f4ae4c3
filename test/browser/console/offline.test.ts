import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { desktop, findFlaws, phone, useOwnConsole } from '../../support/console.js';
import { createComponent, createNotice, createPage, createSubscriber } from '../../support/factories.js';
import { withChannels } from '../../support/settings.js';

describeInBrowser('The console without a connection', () => {
  const { service, signIn } = useOwnConsole(withChannels);
  let pageId: string;
  let pagePath: string;
  beforeAll(async () => {
    const page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    pageId = page.id;
    pagePath = page.path;
    await createComponent(service, page.path, { name: 'Card payments' });
    await createSubscriber(service, page.path);
  });

  test.each([
    ['phone', phone],
    ['desktop', desktop],
  ])('keeps what is sent when the button is pressed twice on a %s', async (_, viewport) => {
    const { page, open, context } = await signIn({ viewport });
    await open('/new/incident');
    await page.getByLabel('Subject').fill(`Pressed twice at ${viewport.width}`);
    await page.reload();
    await page.getByLabel('Card payments').check();
    const button = page.getByRole('button', { name: 'Publish and notify 1 person' });
    await button.waitFor();
    await context.setOffline(true);
    const { x, y, width, height } = (await button.boundingBox())!;
    for (const [left, top] of [
      [0.1, 0.5],
      [0.5, 0.1],
      [0.5, 0.5],
      [0.5, 0.9],
      [0.9, 0.5],
    ] as const) {
      await page.mouse.click(x + left * width, y + top * height);
      await page.getByText('Waiting for a connection').waitFor();
    }
    expect((await page.getByRole('button', { name: 'Waiting …' }).boundingBox())!.y).toBe(y);
    expect(await findFlaws(page)).toEqual([]);
    await context.setOffline(false);
    await page.waitForURL(/\/notices\/\d+/);
  });

  test('says that what was sent may have been published when nobody waits for the response any more', async () => {
    const { page, open, context } = await signIn({ viewport: desktop });
    await page.route('**/graphql', async route => {
      if (!route.request().postData()?.includes('mutation OpenIncident')) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    const publish = page.getByRole('button', { name: 'Publish and notify 1 person' });
    await open('/new/incident');
    await page.getByLabel('Subject').fill('Without a response');
    await publish.click();
    await page.getByText('as soon as you are connected, unless it has been done already.').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Do not wait' }).click();
    const warning = page.getByText('This may have been published');
    await warning.waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });

    await page.getByLabel('Subject').fill('Never sent');
    await publish.click({ trial: true });
    await context.setOffline(true);
    await publish.click();
    await page.getByRole('button', { name: 'Do not publish' }).click();
    await publish.click({ trial: true });
    expect(await warning.count()).toBe(0);
  });

  test('sends what was pressed although its screen was left, and says so meanwhile', async () => {
    const notice = await createNotice(service, pagePath, { subject: 'Left' });
    const { page, open, context } = await signIn({ viewport: desktop });
    const countUpdates = async () =>
      (await service.database.query('select 1 from notice_update where notice_id = $1', [notice.id])).length;
    const before = await countUpdates();
    await open('/');
    await page.getByRole('link', { name: /Left/ }).first().click();
    await page.getByText('Identified', { exact: true }).click();
    const publish = page.getByRole('button', { name: 'Publish and notify 1 person' });
    await publish.click({ trial: true });
    await context.setOffline(true);
    await publish.click();
    await page.getByText('Waiting for a connection').waitFor();
    await page.getByRole('link', { name: 'Situation' }).first().click();
    const notification = page.getByText('What you sent on another screen waits for a connection');
    await notification.waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await context.setOffline(false);
    await notification.waitFor({ state: 'detached' });
    expect(await countUpdates()).toBe(before + 1);
    await open(`/pages/${pageId}/notices/${notice.id}`);
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('');
  });

  test('says what was refused after its screen was left', async () => {
    const notice = await createNotice(service, pagePath, { subject: 'Deleted' });
    const { page, open, context } = await signIn({ viewport: desktop });
    await open('/');
    await page
      .getByRole('link', { name: /Deleted/ })
      .first()
      .click();
    await page.getByText('Identified', { exact: true }).click();
    const publish = page.getByRole('button', { name: 'Publish and notify 1 person' });
    await publish.click({ trial: true });
    await context.setOffline(true);
    await publish.click();
    await page.getByText('Waiting for a connection').waitFor();
    await page.getByRole('link', { name: 'Situation' }).first().click();
    await service.delete(notice.path);
    await context.setOffline(false);
    await page.getByText('What you sent on another screen was not published.').waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('What you sent on another screen').waitFor({ state: 'detached' });
  });

  test.each(['UNAVAILABLE', 'THROTTLED'])('reads again what was refused with %s', async code => {
    await createNotice(service, pagePath, { subject: `After ${code}` });
    const { page, open } = await signIn({ viewport: desktop });
    let refusals = 0;
    const refusal = {
      data: { notices: null },
      errors: [{ message: 'Not now.', path: ['notices'], extensions: { code } }],
    };
    await page.route('**/graphql', route => {
      const isFirstList = !refusals && /query Notices\b/.test(route.request().postData() ?? '');
      if (isFirstList) refusals += 1;
      return isFirstList ? route.fulfill({ json: refusal }) : route.continue();
    });
    await open(`/pages/${pageId}/notices`);
    await page.getByText(`After ${code}`).waitFor();
    expect(refusals).toBe(1);
  });

  test('says in the middle of the screen that the service has failed, and tries again', async () => {
    const { page } = await signIn();
    const failure = { status: 500, json: { errors: [{ message: 'Something went wrong.' }] } };
    await page.route('**/graphql', route => route.fulfill(failure));
    await page.goto(`${service.url}/console/`);
    const heading = page.getByRole('heading', { name: 'This could not be loaded' });
    await heading.waitFor();
    expect((await heading.boundingBox())!.x).toBeGreaterThan(100);
    expect(await findFlaws(page)).toEqual([]);
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Situation' }).waitFor();
  });

  test('says at once that the network went, wherever the screen is scrolled to, and when it is back', async () => {
    const { page, open, context } = await signIn({ viewport: phone });
    await open('/new/incident');
    await page.getByLabel('State').scrollIntoViewIfNeeded();
    await context.setOffline(true);
    const notice = page.getByText('You are offline.');
    await notice.waitFor();
    expect((await notice.boundingBox())!.y).toBeGreaterThan(0);
    expect(await findFlaws(page)).toEqual([]);
    await context.setOffline(false);
    await notice.waitFor({ state: 'detached' });
  });
});
