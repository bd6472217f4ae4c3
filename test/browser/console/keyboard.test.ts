import { beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.js';
import { useOwnConsole } from '../../support/console.js';
import { createComponent, createPage, createSubscriber } from '../../support/factories.js';
import { withChannels } from '../../support/settings.js';

describeInBrowser('The console without a pointer', () => {
  const { service, signIn } = useOwnConsole(withChannels);
  beforeAll(async () => {
    const page = await createPage(service, { name: 'Meridian Freight', send_notifications_by_email: true });
    await createComponent(service, page.path, { name: 'Card payments' });
    await createSubscriber(service, page.path);
  });

  test('takes an incident from open to resolved', async () => {
    const { page, open, problems } = await signIn({ role: 'publisher' });
    const { keyboard } = page;
    /** What has the focus: its label or its text. */
    const focused = () =>
      page.evaluate(
        "(e => e.labels?.[0]?.textContent ?? e.getAttribute('aria-label') ?? e.textContent)(document.activeElement)",
      ) as Promise<string>;
    const tabTo = async (name: RegExp, key = 'Tab') => {
      for (let presses = 0; presses < 40; presses++) {
        if (name.test(await focused())) return;
        await keyboard.press(key);
      }
      throw new Error(`Nothing that is called ${name} gets the focus.`);
    };
    await open('/');
    await keyboard.press('n');
    await page.getByLabel('Subject').waitFor();
    await keyboard.type('Cards are declined');
    await tabTo(/^Card payments$/);
    await keyboard.press('Space');
    expect(await page.getByLabel('Card payments', { exact: true }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    await keyboard.press('Control+Enter');
    await page.waitForURL(/\/notices\/\d+\?publication=\d+$/);

    await page.getByRole('heading', { name: 'Cards are declined' }).waitFor();
    await keyboard.press('u');
    await tabTo(/^Text$/);
    await keyboard.type('Still looking.');
    await tabTo(/^Still investigating$/, 'Shift+Tab');
    while (!/^Resolved$/.test(await focused())) await keyboard.press('ArrowRight');
    expect(await page.getByLabel('Text').inputValue()).toBe('Still looking.');
    await page.getByRole('button', { name: 'Publish and notify 1 person' }).waitFor();
    await keyboard.press('Meta+Enter');
    await page.locator('ol').getByText('Resolved', { exact: true }).waitFor();

    await keyboard.press('?');
    expect(await page.getByRole('dialog').textContent()).toContain('Write an update');
    await keyboard.press('Escape');
    await keyboard.press('/');
    await keyboard.type('situation');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No incident is open' }).waitFor();
    expect(problems).toEqual([]);
  });
});
