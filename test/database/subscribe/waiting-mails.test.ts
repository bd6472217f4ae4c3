import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConfirmationSender, SendError } from '../../../src/subscribers/confirmation-sender.js';
import { PageGeneration } from '../../../src/status-page/server/page-generation.js';
import { countAlive } from '../../support/collect-garbage.js';
import { setVisibility } from '../../support/private-pages.js';
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';
import { waitForResponse } from '../../support/visitor.js';

/** What waits for minutes, of visitors without number, must not keep their requests: each has the texts of the page. */
const visitors = 20;
const hanging = Promise.withResolvers<void>();
let isRefusing: boolean;
let attempts: number;
let page: PublicPage;
beforeAll(async () => {
  const sendMail = async () => {
    attempts += 1;
    if (isRefusing) throw new SendError('451 Try again later', false);
    await hanging.promise;
  };
  const sender: ConfirmationSender = { sendMail, sendSms: async () => {}, postLink: async () => {} };
  page = await startPublicPage({ sender });
});
afterAll(async () => {
  hanging.resolve();
  await page.service.stop();
});

/** How many views of the page, of which each form has one, are alive after each visitor has sent a form. */
async function countViews(send: (number: number) => Promise<unknown>): Promise<number> {
  attempts = 0;
  const views: WeakRef<object>[] = [];
  const { getView } = PageGeneration.prototype;
  PageGeneration.prototype.getView = function (...options) {
    const view = getView.apply(this, options);
    views.push(new WeakRef(view));
    return view;
  };
  try {
    for (let number = 0; number < visitors; number++) {
      await page.forgetRequests();
      await send(number);
    }
  } finally {
    PageGeneration.prototype.getView = getView;
  }
  expect(views.length).toBeGreaterThanOrEqual(visitors);
  return countAlive(views);
}

test('mails to new subscribers that wait for another attempt keep nothing of the forms', async () => {
  isRefusing = true;
  const views = await countViews(async number => {
    expect((await page.post('subscribe', { email: `visitor-${number}@example.com` })).status).toBe(200);
    await page.waitUntil(() => attempts === number + 1);
  });
  expect(views).toBeLessThan(visitors / 2);
});

test('codes to see a private page that wait to be sent keep nothing of the requests', async () => {
  isRefusing = false;
  await setVisibility(page.service, page.id, { visibility: 'EMAIL_DOMAIN', emailDomains: ['example.com'] });
  await waitForResponse(
    () => page.get(''),
    ({ status }) => status === 403,
  );
  const views = await countViews(async number => {
    expect((await page.post('access', { email: `reader-${number}@example.com` })).text).toContain('name="code"');
  });
  expect(attempts).toBeGreaterThan(0);
  expect(views).toBeLessThan(visitors / 2);
});
