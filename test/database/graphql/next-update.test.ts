import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { advanceDueNotices } from '../../../src/notices/automation/notice.automation.js';
import { createAutomatedPage } from '../../support/automated-notices.js';
import { createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
let page: string;
let path: string;
beforeAll(async () => {
  ({ id: page, path } = await createPage(service));
});

async function write(verb: string, input: object, id?: number) {
  const type = `${verb[0]!.toUpperCase()}${verb.slice(1)}Input`;
  const target = id === undefined ? 'pageId: $page' : `pageId: $page, ${/Update$/.test(verb) ? 'noticeId' : 'id'}: $id`;
  const query = `mutation ($page: ID!, $input: ${type}!${id === undefined ? '' : ', $id: ID!'}) {
    ${verb}(${target}, input: $input) { notice { id nextUpdateBy } userErrors { path code message } } }`;
  const { json } = await service.graphql(query, { page, id, input: { shouldPublish: false, ...input } });
  expect(json.errors).toBeUndefined();
  return json.data[verb];
}
const open = async (input: object = {}) => (await write('openIncident', { subject: 'Down', ...input })).notice;
const readNextUpdate = async (id: number) =>
  (await service.graphql(`{ notice(id: ${id}) { nextUpdateBy } }`)).json.data.notice.nextUpdateBy;
const refusals = async (verb: string, input: object, id?: number) => (await write(verb, input, id)).userErrors;

describe('the next update of a notice', () => {
  let id: number;
  let promised: string;
  beforeEach(async () => {
    promised = inAnHour();
    const notice = await open({ nextUpdateBy: promised });
    id = notice.id;
    expect(notice.nextUpdateBy).toBe(promised);
  });

  test('is set by the verbs that post an update, each of which replaces it', async () => {
    for (const [verb, input] of [
      ['advanceNotice', { state: 'IDENTIFIED' }],
      ['updateNotice', { content: 'We look.' }],
      ['createNoticeUpdate', { content: 'We still look.' }],
    ] as const) {
      const later = new Date(Date.parse(promised) + 60_000).toISOString();
      promised = later;
      expect((await write(verb, { ...input, nextUpdateBy: later }, id)).notice.nextUpdateBy).toBe(later);
    }
  });

  test.each([
    ['advanceNotice', { state: 'IDENTIFIED' }],
    ['advanceNotice', { state: 'RESOLVED' }],
    ['updateNotice', { content: 'We look.' }],
    ['createNoticeUpdate', { content: 'We look.' }],
  ])('is cleared by %s with %j', async (verb, input) => {
    expect((await write(verb, input, id)).notice.nextUpdateBy).toBeNull();
  });

  test('stays with what is no update', async () => {
    await write('updateNotice', { subject: 'Very slow' }, id);
    await write('advanceNotice', { state: 'INVESTIGATING' }, id);
    await write('createNoticeUpdate', { content: 'Before.', postedAt: new Date().toISOString() }, id);
    expect(await readNextUpdate(id)).toBe(promised);
  });

  test('is cleared over /v1, too, which does not show it', async () => {
    const { json } = await service.patch(`${path}/notices/${id}`, { additional_comment: 'We look.' });
    expect(await readNextUpdate(id)).toBeNull();
    expect(JSON.stringify(json)).not.toContain('next_update');
    await service.patch(`${path}/notices/${id}`, { state: 'resolved' });
  });

  test.each([
    ['openIncident', {}],
    ['advanceNotice', { state: 'IDENTIFIED' }],
    ['updateNotice', { content: 'We look.' }],
    ['createNoticeUpdate', { content: 'We look.' }],
  ])('cannot be in the past in %s', async (verb, values) => {
    const input = { ...values, ...(verb === 'openIncident' && { subject: 'Down' }) };
    const target = verb === 'openIncident' ? undefined : id;
    expect(await refusals(verb, { ...input, nextUpdateBy: '2026-01-02T03:04:05Z' }, target)).toEqual([
      {
        path: ['input', 'nextUpdateBy'],
        code: 'OUT_OF_RANGE',
        message: '`nextUpdateBy` must be in the future, not 2026-01-02T03:04:05.000Z.',
      },
    ]);
    expect(await readNextUpdate(id)).toBe(promised);
  });

  test('cannot be promised where none can come, or without an update', async () => {
    const general = await createNotice(service, path, { type: 'general', initial_comment: 'We move.' });
    const sentence = async (verb: string, input: object, target = id) =>
      (await refusals(verb, { ...input, nextUpdateBy: promised }, target)).map(({ message }: { message: string }) =>
        message.replace(/, not .*/, ''),
      );
    expect(await sentence('advanceNotice', { state: 'RESOLVED' })).toEqual([
      '`nextUpdateBy` must be omitted once the notice is over',
    ]);
    expect(await sentence('updateNotice', { subject: 'Slow' })).toEqual([
      '`nextUpdateBy` must be omitted without `content` or another `state`',
    ]);
    const past = new Date().toISOString();
    expect(await sentence('createNoticeUpdate', { content: 'Before.', postedAt: past })).toEqual([
      '`nextUpdateBy` must be omitted with `postedAt`',
    ]);
    expect(await sentence('updateNotice', { content: 'We move on.' }, general.id)).toEqual([
      '`nextUpdateBy` must be omitted for an announcement',
    ]);
  });
});

test('a maintenance that automation begins keeps it, and one that automation completes does not', async () => {
  const automated = await createAutomatedPage(service);
  const id = await automated.create();
  await service.database.query('update notice set next_update_by = $2 where id = $1', [id, inAnHour()]);
  await automated.makeStartDue(id);
  await advanceDueNotices(service.database);
  expect([(await automated.readStates(id))[0], typeof (await readNextUpdate(id))]).toEqual(['underway', 'string']);
  await automated.makeEndDue(id);
  await advanceDueNotices(service.database);
  expect([(await automated.readStates(id))[0], await readNextUpdate(id)]).toEqual(['complete', null]);
});

test('a preview has it in its messages, and its hash refuses another time', async () => {
  const { id } = await open();
  const change = { content: 'We look.', shouldPublish: true };
  const nextUpdateBy = inAnHour();
  const { json } = await service.graphql(
    `query ($page: ID!, $id: ID!, $input: UpdateNoticeInput!) {
       previewPublication(pageId: $page, noticeId: $id, input: { updateNotice: $input }) { hash messages { mail { text } } } }`,
    { page, id, input: { ...change, nextUpdateBy } },
  );
  const { hash, messages } = json.data.previewPublication;
  expect(messages.mail.text).toMatch(/^Next update by \d+ \w+ \d{4}, \d\d:\d\d UTC$/m);
  const publish = (time: string) =>
    service.graphql(
      `mutation ($page: ID!, $id: ID!, $input: UpdateNoticeInput!, $hash: String) {
         updateNotice(pageId: $page, id: $id, input: $input, previewHash: $hash) { notice { nextUpdateBy } } }`,
      { page, id, hash, input: { ...change, nextUpdateBy: time } },
    );
  const other = await publish(new Date(Date.parse(nextUpdateBy) + 1_000).toISOString());
  expect(other.json.errors[0].extensions.code).toBe('PRECONDITION_FAILED');
  expect((await publish(nextUpdateBy)).json.data.updateNotice.notice.nextUpdateBy).toBe(nextUpdateBy);
});
