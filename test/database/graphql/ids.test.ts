import { beforeAll, describe, expect, test } from '@jest/globals';
import { type AccessRecords, createAccessRecords } from '../../support/access-records.js';
import { type TestService, useOwnService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

/** The id of a record identifies it: those of its parents can be left out, and are checked where they are given. */
const service = useOwnService({ dnsServers: ['127.0.0.1:1'] });
let own: AccessRecords;
let foreign: AccessRecords;
let onOwnPage: string;
beforeAll(async () => {
  own = await createAccessRecords(service, false);
  foreign = await createAccessRecords(service, false);
  onOwnPage = await createToken(service.database, 'own', { role: 'owner', pageIds: [own.page_id] });
});

type Operation = [name: string, argument: string, id: keyof AccessRecords, selection: string, others?: string];
const queries: Operation[] = [
  ['component', 'id', 'component_id', '{ id page { id } }'],
  ['notice', 'id', 'notice_id', '{ id page { id } }'],
  ['noticeUpdate', 'id', 'update_id', '{ id notice { page { id } } }'],
  ['noticeUpdates', 'noticeId', 'notice_id', '{ nodes { id } totalCount }'],
  ['noticeTemplate', 'id', 'template_id', '{ id page { id } }'],
  ['subscriber', 'id', 'subscriber_id', '{ id page { id } }'],
  ['publication', 'id', 'publication_id', '{ id page { id } }'],
  ['delivery', 'id', 'delivery_id', '{ id page { id } }'],
  ['draft', 'id', 'draft_id', '{ id page { id } }'],
];
const mutations: Operation[] = [
  ['updateComponent', 'id', 'component_id', '{ component { id } page { id } }', 'input: { name: "X" }'],
  ['updateNotice', 'id', 'notice_id', '{ notice { id } page { id } }', 'input: { subject: "X", shouldPublish: false }'],
  [
    'advanceNotice',
    'id',
    'notice_id',
    '{ notice { id } page { id } }',
    'input: { state: IDENTIFIED, shouldPublish: false }',
  ],
  [
    'createNoticeUpdate',
    'noticeId',
    'notice_id',
    '{ noticeUpdate { content } notice { id } }',
    'input: { content: "X", shouldPublish: false }',
  ],
  ['updateNoticeUpdate', 'id', 'update_id', '{ noticeUpdate { id } notice { id } }', 'input: { content: "X" }'],
  ['updateNoticeTemplate', 'id', 'template_id', '{ noticeTemplate { id } page { id } }', 'input: { name: "X" }'],
  ['updateSubscriber', 'id', 'subscriber_id', '{ subscriber { id } page { id } }', 'input: { firstName: "X" }'],
  ['resendDelivery', 'id', 'delivery_id', '{ delivery { id } page { id } }'],
  ['stopPublication', 'id', 'publication_id', '{ publication { id } page { id } }'],
  ['publishDraft', 'id', 'draft_id', '{ notice { id } page { id } }', 'input: { shouldPublish: false }'],
  ['deleteNoticeUpdate', 'id', 'sibling_id', '{ deletedId notice { page { id } } }'],
  ['deleteSubscriber', 'id', 'subscriber_id', '{ deletedId page { id } }'],
  ['deleteNoticeTemplate', 'id', 'template_id', '{ deletedId page { id } }'],
  ['deleteNotice', 'id', 'notice_id', '{ deletedId page { id } }'],
  ['deleteComponent', 'id', 'component_id', '{ deletedId page { id } }'],
];

const send = (kind: string, [name, argument, id, selection, others]: Operation, records: AccessRecords, given = '') =>
  `${kind} { ${name}(${given} ${argument}: "${records[id]}" ${others ?? ''}) ${selection} }`;
const ask = async (
  text: string,
  token?: string,
): Promise<{ code?: string; message?: string; data: Awaited<ReturnType<TestService['graphql']>>['json']['data'] }> => {
  const { json } = await service.graphql(text, {}, token ? { token } : {});
  return { code: json.errors?.[0].extensions.code, message: json.errors?.[0].message, data: json.data };
};

describe.each(queries)('the query %s', (...operation) => {
  test('reads the same record without the ids of its parents', async () => {
    const text = send('query', operation, own);
    const alone = await ask(text);
    expect(alone.code).toBeUndefined();
    expect(alone).toEqual(await ask(send('query', operation, own, `pageId: "${own.page_id}"`)));
    expect(alone).toEqual(await ask(send('query', operation, own, 'pageId: null')));
    expect(alone).toEqual(await ask(text, onOwnPage));
  });

  test('does not find a record of a page without access, nor of another page than the given one', async () => {
    const missing = await ask(send('query', operation, { ...own, [operation[2]]: '999999' }));
    expect(missing.code).toBe('NOT_FOUND');
    expect(await ask(send('query', operation, foreign), onOwnPage)).toEqual(missing);
    expect((await ask(send('query', operation, foreign, `pageId: "${own.page_id}"`))).code).toBe('NOT_FOUND');
  });
});

describe.each(mutations)('the mutation %s', (...operation) => {
  test('does not find a record of a page without access, nor of another page than the given one', async () => {
    const missing = await ask(send('mutation', operation, { ...own, [operation[2]]: '999999' }));
    expect(missing.code).toBe('NOT_FOUND');
    expect(await ask(send('mutation', operation, foreign), onOwnPage)).toEqual(missing);
    expect((await ask(send('mutation', operation, foreign, `pageId: "${own.page_id}"`))).code).toBe('NOT_FOUND');
  });

  test('writes the record without the ids of its parents', async () => {
    const { code, data } = await ask(send('mutation', operation, own), onOwnPage);
    expect(code).toBeUndefined();
    expect(JSON.stringify(data[operation[0]])).toMatch(new RegExp(`"id":"(${own[operation[2]]}|${own.page_id})"`));
  });
});
