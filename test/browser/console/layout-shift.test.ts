import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { desktop, phone, useConsole } from '../../support/console.js';
import { createComponent, createNotice, createPage, createSubscriber } from '../../support/factories.js';

describeInBrowser('The layout of the console', () => {
  const { service, signIn } = useConsole();
  let pageId: string;
  beforeAll(async () => {
    const page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    pageId = page.id;
    for (const name of ['Website', 'Card payments', 'Tracking']) await createComponent(service, page.path, { name });
    await createSubscriber(service, page.path);
    await createNotice(service, page.path, { subject: 'Cards are declined' });
  });

  test.each([phone, desktop])('does not shift while a screen loads, in %j', async viewport => {
    const places =
      'notices drafts components recurring metrics reports subscribers deliveries channels templates alerts settings ' +
      'appearance domain people';
    const paths = ['/', '/new/incident', '/new/maintenance', '/account', '/tokens', '/audit'];
    const shifts: Record<string, number> = {};
    const waiting = [...paths, ...places.split(' ').map(place => `/pages/${pageId}/${place}`)].values();
    const readInBrowser = async () => {
      const { page, problems, open } = await signIn({ viewport, pageIds: [pageId] });
      await page.addInitScript(`window.shift = 0;
        new PerformanceObserver(list => list.getEntries().forEach(entry => { window.shift += entry.value; }))
          .observe({ type: 'layout-shift', buffered: true });`);
      for (const path of waiting) {
        await open(path);
        await page.waitForLoadState('networkidle');
        shifts[path.replace(pageId, '')] = (await page.evaluate('window.shift')) as number;
      }
      expect(problems).toEqual([]);
    };
    // While one waits until its screen is idle, the others load.
    await Promise.all([readInBrowser(), readInBrowser(), readInBrowser()]);
    expect(Object.keys(shifts)).toHaveLength(21);
    expect(Object.entries(shifts).filter(([, shift]) => shift >= 0.02)).toEqual([]);
  });
});
