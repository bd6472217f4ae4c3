import { expect, test } from '@jest/globals';
import { getTranslator } from '../../../../src/i18n/translator.js';
import { locales } from '../../../../src/i18n/locales.js';
import {
  composeAlertMail,
  composeChannelFailureMail,
  composeSuspensionMail,
  composeUnpublishedMail,
} from '../../../../src/notifications/messages/operator-mails.js';
import {
  composeConfirmationMail,
  composePreferencesMail,
  composeWebhookFailureMail,
} from '../../../../src/notifications/messages/visitor-messages.js';
import { defaultColours } from '../../../../src/pages/branding/colour.js';
import type { Locale } from '../../../../src/i18n/locales.js';

const to = 'ada@example.com';
const url = 'https://status.example.com/do/1';
const page = { name: 'Meridian', address: 'https://status.example.com' };
const request = (locale: Locale) => ({
  to,
  page: { ...page, brand: defaultColours },
  translator: getTranslator(locale),
});
const suspended = ['a', 'b'].map(name => ({ name: `${name}@example.com`, webhookId: null, response: '550 no' }));
const alert = {
  source: 'Monitor',
  subject: 'Shop is down',
  mail: null,
  problem: null,
  states: ['Investigating'],
  audience: ['2 by e-mail'],
  warnings: [],
  openNotices: [{ subject: 'Payments fail', url }],
  url,
};
const channel = { label: 'E-mail', response: '535 no', sent: 1, waiting: 1203, returned: 0 };

const mails = {
  confirmation: composeConfirmationMail(request('en'), url),
  preferences: composePreferencesMail(request('en'), url),
  'failed webhook': composeWebhookFailureMail(request('en'), 'hooks.example.com', url),
  suspension: composeSuspensionMail(to, page, suspended, url),
  'failing channel': composeChannelFailureMail(to, page, channel, url),
  'unpublished draft': composeUnpublishedMail(to, page, { subject: 'Hours', error: 'It has changed.', url }),
  alert: composeAlertMail(to, page, alert),
};

test.each(Object.entries(mails))('the text part of the mail %s says what each link does', (_, { text }) => {
  const [content] = text.split('\n-- \n') as [string];
  const lines = content.split('\n').filter(line => line.includes(url));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^[A-Z][a-z ]+: https:\S+$/);
  expect(text).not.toContain('"');
});

test('the label of a link has the colon of its language', () => {
  expect(composeConfirmationMail(request('fr'), url).text).toContain(`Confirmer\u00a0: ${url}`);
});

test.each([...locales])('the subject of the mail about a failed webhook names it in %s', locale => {
  const { subject } = composeWebhookFailureMail(request(locale), 'hooks.example.com', url);
  expect(subject).toContain('hooks.example.com');
  expect(subject).not.toContain(getTranslator(locale).t('preferences.title'));
});

test('the mail about suspended recipients says in its first sentence how many, and of which page', () => {
  expect(mails.suspension.text).toMatch(/^Nothing is sent to 2 recipients of Meridian until you lift the suspension\./);
});

test('the border of a quotation has the colour of borders in the dark scheme', () => {
  expect(mails['failing channel'].html).toMatch(/class="text border"[^>]*>535 no</);
});

test('counts have separators', () => {
  expect(mails['failing channel'].subject).toBe('E-mail is refused on Meridian: 1,203 of 1,204 waiting');
});
