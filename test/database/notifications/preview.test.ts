/** @jest-environment ./test/support/isolated-environment.js */
import '../../support/all-channels.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contents } from '../../support/access-records.js';
import { newTellingPage, spreadAll } from '../../support/ledger.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let page: Awaited<ReturnType<typeof newTellingPage>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  page = await newTellingPage(service, { timezone: 'Berlin' });
});

interface Part {
  channel: string;
  count: number;
  sample: string[];
  reason?: string;
}
const fields = `event text noticeState pageState audience { channel count sample } leftOut { channel reason count sample }
  components { name before after } warnings { code text } messages { page mail { subject text html } sms chatA chatB social }`;
const preview = async (input: object) => {
  const { json } = await service.graphql(
    `query ($page: ID!, $input: PreviewPublication!) { previewPublication(pageId: $page, input: $input) { ${fields} } }`,
    { page: page.id, input },
    { token: service.tokens.read },
  );
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data.previewPublication;
};
const channelNames: Record<string, string> = {
  EMAIL: 'email',
  SMS: 'sms',
  CHAT_A: 'chatA',
  CHAT_B: 'chatB',
  SOCIAL: 'social',
};
const told = ({ audience }: { audience: Part[] }) =>
  Object.fromEntries(audience.map(({ channel, count }) => [channelNames[channel], count]));
const codes = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

/** People of all kinds, the same on every page. */
async function settle(): Promise<number[]> {
  const top = await page.component('top');
  const parts = [top, await page.component('part', top), await page.component('other')];
  for (const [at, component] of parts.entries()) await page.subscribe(`${at}@example.com`, [component]);
  await page.subscribe('all@example.com');
  await page.subscribe('+4479460001');
  await page.subscribe('+4479460002', [parts[2]!]);
  const gone = await page.subscribe('left@example.com');
  const unconfirmed = await page.subscribe('unconfirmed@example.com');
  const calm = await page.subscribe('calm@example.com');
  await service.database.query('update subscriber set unsubscribed_at = clock_timestamp() where id = $1', [gone]);
  await service.database.query('update subscriber set confirmed_at = null where id = $1', [unconfirmed]);
  await service.database.query(`update subscriber set kinds = '{planned}' where id = $1`, [calm]);
  return parts;
}

describe('The audience of a preview is the audience of the ledger', () => {
  const window = { beginsAt: '2099-01-01T00:00:00Z', endsAt: '2099-01-01T01:00:00Z' };
  const rest = { begins_at: window.beginsAt, ends_at: window.endsAt };
  test.each<[string, object, (parts: number[]) => object, (parts: number[]) => object]>([
    ['for an incident of everything', {}, () => ({}), () => ({})],
    [
      'for an incident of a part',
      {},
      ([, part]) => ({ componentIds: [String(part)] }),
      ([, part]) => ({ component_ids: [part] }),
    ],
    [
      'for an incident of another',
      {},
      ([, , other]) => ({ componentIds: [String(other)] }),
      ([, , other]) => ({ component_ids: [other] }),
    ],
    ['for a maintenance', {}, () => ({ type: 'PLANNED', ...window }), () => ({ type: 'planned', ...rest })],
    ['with switches off', { chatASwitch: false, smsSwitch: false }, () => ({}), () => ({})],
  ])('%s', async (_, off, input, body) => {
    const parts = await settle();
    for (const name of Object.keys(off))
      await service.database.query(
        `update page set ${name.replace(/[A-Z]/g, '_$&').toLowerCase()} = false where id = $1`,
        [page.id],
      );
    const shown = await preview({ subject: 'Payments fail', ...input(parts) });
    await page.notice(body(parts));
    await spreadAll(service.database);
    const made = await page.deliveries();
    const counts = Object.entries(Object.groupBy(made, ({ channel }) => channel)).map(([channel, all]) => [
      channel,
      all!.length,
    ]);
    expect(told(shown)).toEqual(Object.fromEntries(counts));
    expect(counts.length).toBeGreaterThan(0);
    for (const { channel, sample } of shown.audience as Part[])
      expect(made.filter(one => one.channel === channelNames[channel]).map(({ address }) => address)).toEqual(
        expect.arrayContaining(sample),
      );
  });

  test('and who is left out is told with the reason', async () => {
    const [top] = await settle();
    await service.database.query('update page set chat_a_switch = false where id = $1', [page.id]);
    const { leftOut } = await preview({ subject: 'x', componentIds: [String(top)] });
    expect((leftOut as Part[]).map(({ channel, reason, count, sample }) => [channel, reason, count, sample])).toEqual([
      ['CHAT_A', 'channel off', 1, ['Slack']],
      ['EMAIL', 'out of scope', 2, ['2@example.com', 'calm@example.com']],
      ['EMAIL', 'unconfirmed', 1, ['unconfirmed@example.com']],
      ['EMAIL', 'unsubscribed', 1, ['left@example.com']],
      ['SMS', 'out of scope', 1, ['+4479460002']],
    ]);
  });
});

describe('A preview', () => {
  test('writes nothing and tells nobody', async () => {
    await settle();
    const before = await contents(service.database);
    await preview({ subject: 'Payments fail', comment: 'We look.' });
    expect(await contents(service.database)).toBe(before);
  });

  test('shows the messages as they would be written, and what follows', async () => {
    const [top] = await settle();
    const shown = await preview({ subject: 'Payments fail', comment: 'We *look*.', componentIds: [String(top)] });
    expect(shown).toMatchObject({
      ...{ event: 'OPENED', text: 'We *look*.', noticeState: 'INVESTIGATING', pageState: 'DEGRADED' },
      components: [
        { name: 'top', before: 'OPERATIONAL', after: 'DEGRADED' },
        { name: 'part', before: 'OPERATIONAL', after: 'PARTIALLY_DEGRADED' },
      ],
      warnings: [],
    });
    const { mail, sms, chatA, chatB, social, page: document } = shown.messages;
    for (const text of [document, mail.subject, mail.text, mail.html, sms, chatA, chatB, social])
      expect(text).toContain('Payments fail');
    for (const html of [mail.html, document]) expect(html).toContain('<em>look</em>');
    expect([document.slice(0, 15), document.trim().slice(-7)]).toEqual(['<!doctype html>', '</html>']);
    for (const purpose of ['preferences', 'unsubscribe'])
      for (const form of [mail.text, mail.html]) expect(form).toContain(`/${purpose}/preview`);
    expect((await service.get(`/status/${page.id}/`)).text).not.toContain('Payments fail');
  });

  test('of a change is that of the notice as it would be', async () => {
    const id = await page.notice({ should_publish: false });
    expect(await preview({ noticeId: String(id), state: 'RESOLVED' })).toMatchObject({
      event: 'CLOSED',
      text: 'Resolved',
      noticeState: 'RESOLVED',
      pageState: 'OPERATIONAL',
    });
    const nothing = await preview({ noticeId: String(id), subject: 'Payments fail' });
    expect(nothing).toMatchObject({ event: null, text: null, audience: [], leftOut: [], messages: null });
    expect(codes(nothing)).toEqual(['UNCHANGED']);
  });

  test('is refused as the change would be', async () => {
    await expect(preview({ subject: 'x', state: 'UNDERWAY' })).rejects.toThrow('INVALID');
    await expect(preview({ comment: 'x' })).rejects.toThrow('INVALID');
    await expect(preview({ noticeId: '2147483647' })).rejects.toThrow('NOT_FOUND');
    await expect(preview({ subject: 'x', comment: 'a\u0000' })).rejects.toThrow('"fields":{"comment":');
    const id = await page.notice();
    await expect(preview({ noticeId: String(id), comment: 'x'.repeat(65_536) })).rejects.toThrow(
      '"fields":{"comment":',
    );
  });
});

describe('A preview warns', () => {
  test('of a window that has begun, or is over', async () => {
    const shown = await preview({
      subject: 'x',
      type: 'PLANNED',
      beginsAt: '2020-01-01T00:00:00Z',
      durationInMinutes: 60,
    });
    expect(shown.warnings[0]).toEqual({ code: 'WINDOW_PAST', text: 'The window is over already.' });
  });

  test('of clocks that change within it, in the zone of the page', async () => {
    const at = (beginsAt: string) => preview({ subject: 'x', type: 'PLANNED', beginsAt, durationInMinutes: 120 });
    expect(codes(await at('2027-03-28T00:30:00Z'))).toContain('SUMMER_TIME');
    expect(codes(await at('2027-03-29T00:30:00Z'))).not.toContain('SUMMER_TIME');
  });

  test('that everybody hears when no component is named', async () => {
    const component = await page.component('A');
    expect(codes(await preview({ subject: 'x' }))).toEqual(['EVERYBODY']);
    expect(codes(await preview({ subject: 'x', componentIds: [String(component)] }))).toEqual([]);
  });

  test('of an open notice that names one of the components', async () => {
    const component = await page.component('A');
    const id = await page.notice({ subject: 'Slow cards', component_ids: [component], should_publish: false });
    const shown = await preview({ subject: 'x', componentIds: [String(component)] });
    expect(shown.warnings).toEqual([
      { code: 'COVERED', text: 'An open notice names one of the components already: "Slow cards".' },
    ]);
    expect(codes(await preview({ noticeId: String(id), comment: 'x' }))).toEqual([]);
  });

  test('of one that names what is above or below', async () => {
    const top = await page.component('top');
    const part = await page.component('part', top);
    const beside = await page.component('beside', top);
    await page.notice({ subject: 'Slow', component_ids: [part], should_publish: false });
    expect(codes(await preview({ subject: 'x', componentIds: [String(top)] }))).toEqual(['COVERED']);
    expect(codes(await preview({ subject: 'x', componentIds: [String(beside)] }))).toEqual([]);
  });
});
