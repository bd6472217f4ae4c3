import { beforeEach, describe, expect, test } from '@jest/globals';
import { wrongSql } from '../../../src/notices/updates/correction.service.js';
import { locales } from '../../../src/i18n/locales.js';
import { getTranslator } from '../../../src/i18n/translator.js';
import { leaseAll, createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { countRowsRead } from '../../support/rows-read.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let ids: Record<'ada' | 'bob' | 'gone' | 'phone', number>;
beforeEach(async () => {
  await service.database.query('delete from publication');
  page = await createPublishingPage(service, {}, ['chatA']);
  ids = {
    ada: await page.subscribe('ada@example.com'),
    bob: await page.subscribe('bob@example.com'),
    gone: await page.subscribe('gone@example.com'),
    phone: await page.subscribe('+4915112345678'),
  };
});

const setStates = (state: string, more = '') =>
  service.database.query(`update delivery set state = $1 where state = 'pending' ${more}`, [state]);
const sendAll = async () => {
  await fanOutAll(service.database);
  await setStates('sent');
};
/** An incident whose opening with the text was sent to everybody. */
async function open(text = 'Wrong.') {
  const notice = await page.notice({ initial_comment: text });
  await sendAll();
  const [row] = await service.database.query<{ id: number }>('select id from notice_update where notice_id = $1', [
    notice,
  ]);
  return { notice, update: row!.id };
}
const edit = (notice: number, update: number, content = 'Right.') =>
  service.patch(`${page.path}/notices/${notice}/updates/${update}`, { content });

const payload = `publication { id event publishedBy { label } text audience { channel count } } warnings { code } userErrors { path code message }`;
async function correct(update: number, { variables = {}, key = '' } = {}) {
  const { json, headers } = await service.graphql(
    `mutation ($id: ID!, $hash: String) { notifyCorrection(id: $id, previewHash: $hash) { ${payload} } }`,
    { id: update, ...variables },
    key ? { headers: { 'Idempotency-Key': key } } : {},
  );
  return { ...json.data?.notifyCorrection, errors: json.errors, replayed: headers.get('idempotency-replayed') };
}
const recipientsOf = async (publication: string) => {
  await fanOutAll(service.database);
  const rows = await service.database.query<{ channel: string; address: string }>(
    `select channel, address from delivery where publication_id = $1 and state <> 'skipped' order by 1, 2`,
    [publication],
  );
  return rows.map(({ channel, address }) => `${channel} ${address}`);
};

describe('notifyCorrection', () => {
  test('notifies nobody for whom a message with the wrong text was stopped, also before it is skipped', async () => {
    const notice = await page.notice({ initial_comment: 'Wrong.' });
    await fanOutAll(service.database);
    await setStates('sent', `and address = 'ada@example.com'`);
    await setStates('sending', `and address = 'bob@example.com'`);
    await service.database.query('update publication set stopped_at = clock_timestamp()');
    const [row] = await service.database.query<{ id: number }>('select max(id) as id from notice_update');
    await edit(notice, row!.id);
    const { publication } = await correct(row!.id);
    expect(await recipientsOf(publication.id)).toEqual(['email ada@example.com', 'email bob@example.com']);
  });

  test('notifies those who were sent the wrong text, by channel, but for those who have unsubscribed since', async () => {
    const { notice, update } = await open();
    await page.subscribe('late@example.com');
    await service.delete(`${page.path}/subscribers/${ids.gone}`);
    await edit(notice, update);
    const { publication, warnings, userErrors } = await correct(update);
    expect({ publication, warnings, userErrors }).toEqual({
      publication: {
        id: expect.any(String),
        event: 'CORRECTION',
        publishedBy: { label: expect.stringContaining('(') },
        text: 'Right.',
        audience: [
          { channel: 'SLACK', count: 1 },
          { channel: 'EMAIL', count: 2 },
          { channel: 'SMS', count: 1 },
        ],
      },
      warnings: [],
      userErrors: [],
    });
    expect(await recipientsOf(publication.id)).toEqual([
      'chatA Slack',
      'email ada@example.com',
      'email bob@example.com',
      'sms +4915112345678',
    ]);
  });

  test('leaves out those whose message was refused or skipped, whatever they have chosen since', async () => {
    const notice = await page.notice({ initial_comment: 'Wrong.' });
    await fanOutAll(service.database);
    await setStates('dead', `and subscriber_id = ${ids.ada}`);
    await setStates('skipped', `and channel = 'chatA'`);
    await setStates('sent');
    const component = await page.component('Search');
    await service.patch(`${page.path}/subscribers/${ids.bob}`, { component_ids: [component] });
    const [row] = await service.database.query<{ id: number }>('select id from notice_update where notice_id = $1', [
      notice,
    ]);
    await edit(notice, row!.id);
    const { publication } = await correct(row!.id);
    expect(await recipientsOf(publication.id)).toEqual([
      'email bob@example.com',
      'email gone@example.com',
      'sms +4915112345678',
    ]);
  });

  test('notifies by e-mail those whose later message had the wrong text among the earlier updates', async () => {
    const { notice, update } = await open();
    await page.subscribe('late@example.com');
    await page.update(notice, 'More.');
    await sendAll();
    await edit(notice, update);
    const { publication } = await correct(update);
    expect(await recipientsOf(publication.id)).toContain('email late@example.com');
    const later = await page.update(notice, 'Even more.');
    await edit(notice, later, 'Less.');
    await page.update(notice, 'The end.');
    await sendAll();
    expect((await correct(later)).userErrors).toHaveLength(0);
  });

  test('takes the place of the wrong message where that has not been sent, and of no other', async () => {
    const notice = await page.notice({ initial_comment: 'Wrong.' });
    await fanOutAll(service.database);
    await setStates('sent', `and channel <> 'email'`);
    const [row] = await service.database.query<{ id: number }>('select id from notice_update where notice_id = $1', [
      notice,
    ]);
    await edit(notice, row!.id);
    const { publication } = await correct(row!.id);
    await fanOutAll(service.database);
    const leased = await leaseAll(service.database);
    expect(leased.map(({ channel, publicationId }) => [channel, String(publicationId)]).toSorted()).toEqual(
      ['chatA', 'email', 'email', 'email', 'sms'].map(channel => [channel, publication.id]),
    );
    const reasons = await service.database.query(
      `select distinct channel, reason from delivery where state = 'skipped'`,
    );
    expect(reasons).toEqual([{ channel: 'email', reason: 'superseded' }]);
  });

  test('replaces a later message that has not been sent only where that shows the earlier updates, too', async () => {
    const { notice, update } = await open();
    await service.patch(`${page.path}/notices/${notice}`, { state: 'resolved', should_publish: true });
    await fanOutAll(service.database);
    await edit(notice, update);
    const { publication } = await correct(update);
    await fanOutAll(service.database);
    const leased = await leaseAll(service.database);
    expect(leased.map(each => [each.channel, String(each.publicationId) === publication.id]).toSorted()).toEqual([
      ['chatA', false],
      ['chatA', true],
      ['email', true],
      ['email', true],
      ['email', true],
      ['sms', false],
      ['sms', true],
    ]);
  });

  test('waits until all recipients of the wrong text are in the ledger, and a later update does not replace it', async () => {
    const notice = await page.notice({ initial_comment: 'Wrong.' });
    const [row] = await service.database.query<{ id: number }>('select id from notice_update where notice_id = $1', [
      notice,
    ]);
    await edit(notice, row!.id);
    await service.database.query(`update publication set held_until = clock_timestamp() + interval '1 hour'`);
    const { publication } = await correct(row!.id);
    expect(await recipientsOf(publication.id)).toEqual([]);
    await service.database.query('update publication set held_until = null');
    expect(await recipientsOf(publication.id)).toHaveLength(5);
    await page.update(notice, 'More.');
    await fanOutAll(service.database);
    const states = `select distinct state from delivery where publication_id = $1`;
    expect(await service.database.query(states, [publication.id])).toEqual([{ state: 'pending' }]);
    await setStates('sent', `and publication_id > ${publication.id}`);
    expect(await leaseAll(service.database)).toHaveLength(5);
  });

  test('refuses an update that was not edited since it was sent, or that nobody was sent', async () => {
    const { notice, update } = await open();
    const refused = {
      publication: null,
      userErrors: [
        {
          path: ['id'],
          code: 'NOT_APPLICABLE',
          message: `\`id\` must be of an update that was edited since it was sent, not "${update}".`,
        },
      ],
    };
    expect(await correct(update)).toMatchObject(refused);
    await edit(notice, update);
    await edit(notice, update, 'Wrong.');
    expect(await correct(update)).toMatchObject(refused);
    const silent = await service.post(`${page.path}/notices/${notice}/updates`, {
      content: 'A',
      should_publish: false,
    });
    const { id } = silent.json.response;
    await edit(notice, id);
    expect((await correct(id)).userErrors).toHaveLength(1);
    expect(await service.database.query(`select 1 from publication where event = 'correction'`)).toEqual([]);
  });

  test('refuses an update that was corrected, until it is edited again', async () => {
    const { notice, update } = await open();
    await edit(notice, update);
    expect((await correct(update)).publication).not.toBeNull();
    await sendAll();
    expect((await correct(update)).userErrors[0].message).toContain('edited since it was corrected');
    await edit(notice, update, 'Better.');
    const { publication } = await correct(update);
    expect(publication.audience).toContainEqual({ channel: 'EMAIL', count: 3 });
  });

  test('is repeated after it was stopped, for those whom it has not reached', async () => {
    const { notice, update } = await open();
    await edit(notice, update);
    const { publication } = await correct(update);
    await fanOutAll(service.database);
    await setStates('sent', `and subscriber_id = ${ids.ada}`);
    await service.graphql('mutation ($id: ID!) { stopPublication(id: $id) { sentCount } }', { id: publication.id });
    await leaseAll(service.database);
    const again = await correct(update);
    expect(await recipientsOf(again.publication.id)).toEqual([
      'chatA Slack',
      'email bob@example.com',
      'email gone@example.com',
      'sms +4915112345678',
    ]);
  });

  test('reads no publication that many later updates have left it out of', async () => {
    const { notice, update } = await open();
    for (let count = 0; count < 30; count++) await page.update(notice);
    await edit(notice, update);
    const values = { $1: notice, $2: update, $3: "'Right.'" };
    const sql = wrongSql.replace(/\$[123]/g, name => String(values[name as keyof typeof values]));
    expect((await countRowsRead(service.database, sql))('jsonb_array_elements')).toBeLessThan(150);
    expect((await correct(update)).publication).not.toBeNull();
  });

  test('goes to those who were sent the text alone, however many changes were published since', async () => {
    const { notice, update } = await open();
    await service.database.query(
      `insert into publication (page_id, notice_id, notice_type, event, made_by, message_snapshot, scope, created_at,
         fanned_out_at)
       select page_id, notice_id, notice_type, 'updated', made_by, message_snapshot, '{}', clock_timestamp(),
         clock_timestamp() from publication cross join generate_series(1, 150)`,
    );
    await edit(notice, update);
    const { publication } = await correct(update);
    expect(await recipientsOf(publication.id)).toHaveLength(5);
  });

  test('goes to those who were sent the text by later messages, whatever the clock of the database said', async () => {
    const { notice, update } = await open();
    for (let count = 0; count < 12; count++) await page.update(notice);
    const find = async () => (await service.database.query(wrongSql, [notice, update, 'Right.'])).length;
    const count = await find();
    expect(count).toBeGreaterThan(9);
    const ahead = `update publication set created_at = created_at + interval '1 hour' where notice_id = $1
      and id < (select max(id) - 6 from publication where notice_id = $1)`;
    await service.database.query(ahead, [notice]);
    expect(await find()).toBe(count);
  });

  test('publishes once with an Idempotency-Key, and exactly what was previewed', async () => {
    const { notice, update } = await open();
    await edit(notice, update);
    const preview = async () =>
      (
        await service.graphql(
          `query ($id: ID!) { previewCorrection(id: $id) {
             hash event audience { channel count } messages { sms mail { subject text } } warnings { code }
             userErrors { path } } }`,
          { id: update },
        )
      ).json.data.previewCorrection;
    const search = await page.component('Search');
    for (const path of [`notices/${notice}`, `notices/${await page.notice({ should_publish: false })}`])
      await service.patch(`${page.path}/${path}`, { component_ids: [search] });
    const { hash, event, audience, messages, warnings } = await preview();
    expect(warnings).toEqual([]);
    expect([event, audience]).toEqual(['CORRECTION', expect.arrayContaining([{ channel: 'EMAIL', count: 3 }])]);
    expect(messages.mail.subject).toBe('[Correction] Payments fail – Meridian');
    expect(messages.mail.text).toContain('This message corrects an earlier one.\n\nRight.');
    expect(messages.mail.text).not.toContain('Wrong.');
    expect(messages.sms).toContain('(Correction). This message corrects an earlier one. Right.');
    await service.delete(`${page.path}/subscribers/${ids.gone}`);
    const stale = await correct(update, { variables: { hash } });
    expect(stale.errors[0].extensions.code).toBe('PRECONDITION_FAILED');
    const seen = { variables: { hash: (await preview()).hash }, key: `correct-${update}` };
    const first = await correct(update, seen);
    const second = await correct(update, seen);
    expect([second.replayed, second.publication]).toEqual(['true', first.publication]);
    expect(await service.database.query(`select 1 from publication where event = 'correction'`)).toHaveLength(1);
    expect((await preview()).userErrors).toEqual([{ path: ['id'] }]);
  });

  test.each(locales)('says that it is a correction in %s', async locale => {
    const { t } = getTranslator(locale);
    await service.database.query('update page set locale = $2 where id = $1', [page.id, locale]);
    const { notice, update } = await open();
    await edit(notice, update);
    const { json } = await service.graphql(
      `{ previewCorrection(id: ${update}) { messages { mail { subject text html } } } }`,
    );
    const { mail } = json.data.previewCorrection.messages;
    expect(mail.subject).toContain(`[${t('mail.correction')}]`);
    for (const part of [mail.text, mail.html]) expect(part).toContain(t('mail.correctionText'));
  });
});

describe('notifyComponentCorrection', () => {
  const call = async (field: string, selection: string, notice: number, hash: string | null = null) => {
    const isPreview = field.startsWith('preview');
    const { json } = await service.graphql(
      isPreview
        ? `query ($id: ID!) { ${field}(id: $id) { ${selection} } }`
        : `mutation ($id: ID!, $hash: String) { ${field}(id: $id, previewHash: $hash) { ${selection} } }`,
      { id: notice, ...(!isPreview && { hash }) },
    );
    return json.data?.[field];
  };
  const previewed = (notice: number) =>
    call(
      'previewComponentCorrection',
      'hash text audience { channel count notifiedEarlierCount } warnings { code } userErrors { code }',
      notice,
    );
  const corrected = (notice: number, hash?: string) => call('notifyComponentCorrection', payload, notice, hash);

  test('notifies those of the right components, and those who were sent the wrong ones', async () => {
    const [wrong, right] = [await page.component('Checkout'), await page.component('Card payments')];
    await page.subscribe('wrong@example.com', [wrong]);
    await page.subscribe('right@example.com', [right]);
    const notice = await page.notice({ initial_comment: 'We look.', component_ids: [wrong] });
    await sendAll();
    expect((await previewed(notice)).userErrors).toMatchObject([{ code: 'NOT_APPLICABLE' }]);
    await service.patch(`${page.path}/notices/${notice}`, { component_ids: [right] });
    await service.post(`${page.path}/notices`, { subject: 'Other', type: 'unplanned', component_ids: [right] });

    const preview = await previewed(notice);
    // It changes nothing of the notice, of which another warns.
    expect(preview.warnings).toEqual([{ code: 'NOTIFIED_EARLIER' }]);
    expect(preview.text).toBe('Affected components: Card payments (Degraded)\n\nNot affected: Checkout');
    expect(preview.audience).toContainEqual({ channel: 'EMAIL', count: 5, notifiedEarlierCount: 1 });
    const { publication, warnings, userErrors } = await corrected(notice, preview.hash);
    expect([warnings, userErrors]).toEqual([preview.warnings, []]);
    expect(publication.event).toBe('CORRECTION');
    const recipients = await recipientsOf(publication.id);
    expect(recipients).toEqual(expect.arrayContaining(['email right@example.com', 'email wrong@example.com']));
    expect((await corrected(notice)).userErrors).toMatchObject([{ path: ['id'], code: 'NOT_APPLICABLE' }]);
  });

  test('is refused for a notice of which no message was sent', async () => {
    const notice = await page.notice({ should_publish: false, component_ids: [await page.component('Checkout')] });
    await service.patch(`${page.path}/notices/${notice}`, { component_ids: [] });
    expect((await corrected(notice)).userErrors).toMatchObject([{ path: ['id'], code: 'NOT_APPLICABLE' }]);
  });
});
