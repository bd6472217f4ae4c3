import { beforeAll, expect, test } from '@jest/globals';
import { advanceDueNotices } from '../../../src/notices/automation/notice.automation.js';
import { createAutomatedPage } from '../../support/automated-notices.js';
import { createNotice, createPage, createUpdate } from '../../support/factories.js';
import { useService } from '../../support/service.js';

/** An update has the state of its notice at the time when it was posted. */
const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).path;
});

const readStates = async (notice: string): Promise<[string, string | null][]> => {
  const [, pageId, id] = /pages\/(\w+)\/notices\/(\d+)$/.exec(notice)!;
  const query = `{ notice(pageId: "${pageId}", id: ${id}) { updates { nodes { content state } } } }`;
  const { data } = (await service.graphql(query)).json;
  return data.notice.updates.nodes.map(({ content, state }: { content: string; state: string | null }) => [
    content,
    state,
  ]);
};

test('an update of an incident has the state that the same request sets, or else the present one', async () => {
  const { path } = await createNotice(service, page, { initial_comment: 'One' });
  await service.patch(path, { state: 'identified', additional_comment: 'Two' });
  const update = await createUpdate(service, path, { content: 'Three' });
  await service.patch(path, { state: 'resolved' });
  await createUpdate(service, path, { content: 'Four' });
  await service.patch(update.path, { content: 'Three, edited' });
  expect(await readStates(path)).toEqual([
    ['One', 'INVESTIGATING'],
    ['Two', 'IDENTIFIED'],
    ['Three, edited', 'IDENTIFIED'],
    ['Four', 'RESOLVED'],
  ]);
});

test('an incident that is opened in another state has it in its first update', async () => {
  const { path } = await createNotice(service, page, { initial_comment: 'One', state: 'recovering' });
  expect(await readStates(path)).toEqual([['One', 'RECOVERING']]);
});

test('an update of a maintenance has the state that automation set before it', async () => {
  const automated = await createAutomatedPage(service);
  const id = await automated.create({ initial_comment: 'Soon' });
  await automated.makeStartDue(id);
  await advanceDueNotices(service.database);
  const path = `${automated.path}/notices/${id}`;
  await createUpdate(service, path, { content: 'Now' });
  expect(await readStates(path)).toEqual([
    ['Soon', 'SCHEDULED'],
    ['Now', 'UNDERWAY'],
  ]);
});

test('an update of an announcement has no state', async () => {
  const { path } = await createNotice(service, page, { type: 'general', initial_comment: 'We moved' });
  expect(await readStates(path)).toEqual([['We moved', null]]);
});

test('a payload and a query of one update have the state, and /v1 does not name it', async () => {
  const notice = await createNotice(service, page, { state: 'identified' });
  const [, pageId] = /pages\/(\w+)$/.exec(page)!;
  const { data } = (
    await service.graphql(
      `mutation { createNoticeUpdate(pageId: "${pageId}", noticeId: ${notice.id}, input: { content: "One", shouldPublish: true }) {
        update: noticeUpdate { id state } } }`,
    )
  ).json;
  const { id } = data.createNoticeUpdate.update;
  expect(data.createNoticeUpdate.update).toEqual({ id, state: 'IDENTIFIED' });
  const one = `{ noticeUpdate(pageId: "${pageId}", noticeId: ${notice.id}, id: ${id}) { state } }`;
  expect((await service.graphql(one)).json.data.noticeUpdate).toEqual({ state: 'IDENTIFIED' });
  const update = await service.get(`${notice.path}/updates/${id}`);
  expect(update.json.response).toMatchObject({ content: 'One' });
  expect(update.json.response).not.toHaveProperty('state');
  const filtered = await service.get(`${notice.path}/updates?filter[state_eq]=identified`);
  expect(filtered.status).toBe(400);
  expect(filtered.json.error_description).not.toContain(' state_');
});
