import { beforeAll, describe, expect, test } from '@jest/globals';
import { unsubscribe } from '../../../src/subscribers/sign-up.service.js';
import { createComponent, createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { listWrites, recordStatements } from '../../support/statements.js';

/** What a write costs: statements while the page is locked. */
const service = useOwnService();
let page: string;
let component: number;
beforeAll(async () => {
  page = (await createPage(service)).path;
  component = (await createComponent(service, page)).id;
});

const createNotice = async (values: object = {}) => {
  const created = await service.post(`${page}/notices`, {
    subject: 'Slow',
    initial_comment: 'Hm',
    component_ids: [component],
    ...values,
  });
  return `${page}/notices/${created.json.response.id}`;
};
const record = (work: () => Promise<unknown>) => recordStatements(service.database, work);

describe('creating a notice with a comment and a component', () => {
  test('writes each row once, and takes 11 statements when it is published', async () => {
    const statements = await record(() => createNotice({ should_publish: true }));
    expect(listWrites(statements)).toEqual([
      'insert into notice',
      'insert into notice_update',
      'insert into notice_component',
      'update component',
      'insert into publication',
      'insert into page_change',
    ]);
    expect(statements).toHaveLength(11);
  });

  test('takes 9 statements when it is not published and the component is degraded already', async () => {
    await createNotice();
    const statements = await record(createNotice);
    expect(listWrites(statements)).toEqual([
      'insert into notice',
      'insert into notice_update',
      'insert into notice_component',
      'insert into page_change',
    ]);
    expect(statements).toHaveLength(9);
  });
});

test('a PATCH of a notice with a state and a comment writes each row once, in 12 statements', async () => {
  const other = (await createComponent(service, page, { name: 'Site' })).id;
  const notice = await createNotice({ component_ids: [other], should_publish: true });
  const statements = await record(() =>
    service.patch(notice, { state: 'resolved', additional_comment: 'Done', should_publish: true }),
  );
  expect(listWrites(statements)).toEqual([
    'insert into notice_update',
    'update notice',
    'update component',
    'insert into publication',
    'insert into page_change',
  ]);
  expect(statements).toHaveLength(12);
});

test('a PATCH of a notice that changes nothing writes to none of its rows', async () => {
  const notice = await createNotice();
  const statements = await record(() => service.patch(notice, { subject: 'Slow', component_ids: [component] }));
  expect(listWrites(statements)).toEqual(['insert into page_change']);
});

describe('an update of a notice', () => {
  const expectOneWriteToTheNotice = async (expected: string[], work: () => Promise<unknown>) =>
    expect(listWrites(await record(work))).toEqual([...expected, 'insert into page_change']);

  test('is inserted with one write to the notice', async () => {
    const notice = await createNotice({ initial_comment: '' });
    await expectOneWriteToTheNotice(['insert into notice_update', 'update notice'], () =>
      service.post(`${notice}/updates`, { content: 'First', should_publish: false }),
    );
    expect((await service.get(notice)).json.response.synopsis).toBe('First\n');
  });

  test('is changed and deleted with one write to the notice', async () => {
    const notice = await createNotice();
    const [update] = (await service.get(`${notice}/updates`)).json.response;
    const path = `${notice}/updates/${update.id}`;
    const statements = await record(() => service.patch(path, { content: 'Edited' }));
    expect(listWrites(statements).sort()).toEqual([
      'insert into notice_update_revision',
      'insert into page_change',
      'update notice',
      'update notice_update',
    ]);
    expect((await service.get(notice)).json.response.synopsis).toBe('Edited\n');
    await expectOneWriteToTheNotice(['update notice', 'delete from notice_update'], () => service.delete(path));
    expect((await service.get(notice)).json.response.synopsis).toBe('');
  });
});

test('a write by a subscriber locks and announces the page like any other', async () => {
  const created = await service.post(`${page}/subscribers`, { email: 'leaving@example.com' });
  const pageId = page.split('/').at(-1)!;
  const statements = await record(() =>
    unsubscribe(service.database, { purpose: 'unsubscribe', pageId, subscriberId: created.json.response.id }),
  );
  expect(
    statements.filter(text => text.includes('from page p0') && text.endsWith('for no key update of p0')),
  ).toHaveLength(1);
  expect(listWrites(statements)).toContain('insert into page_change');
});
