import { beforeEach, describe, expect, test } from '@jest/globals';
import { createNotice, createPage, createUpdate } from '../../support/factories.js';
import { peopleOrigin, askAs, signIn } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({ publicUrl: peopleOrigin, anonymousReads: 'public' });
let page: string;
let update: Awaited<ReturnType<typeof createUpdate>>;
beforeEach(async () => {
  const created = await createPage(service);
  page = created.id;
  const notice = await createNotice(service, created.path);
  update = await createUpdate(service, notice.path, { content: 'One.' });
});

const edit =
  'mutation ($id: ID!, $content: String!) { updateNoticeUpdate(id: $id, input: { content: $content }) { update: noticeUpdate { id } } }';
const fields =
  'editedAt updatedAt revisions { content contentHtml contentText state replacedAt replacedBy { kind label } }';
const read = async (selection = fields, request = {}) =>
  (await service.graphql(`{ noticeUpdate(id: ${update.id}) { ${selection} } }`, {}, request)).json;

describe('the revisions of an update', () => {
  test('are its earlier texts, newest first, with who replaced them and when, over both APIs', async () => {
    expect((await read()).data.noticeUpdate).toMatchObject({ editedAt: null, revisions: [] });
    const person = await signIn(service);
    await askAs(service, person, edit, { id: update.id, content: 'Two **b**.' });
    const { json } = await service.patch(update.path, { content: 'Three.' });
    expect(Object.keys(json.response).filter(name => /edit|revision/.test(name))).toEqual([]);
    const { revisions, editedAt, updatedAt } = (await read()).data.noticeUpdate;
    expect(editedAt).toBe(updatedAt);
    expect(revisions).toEqual([
      {
        content: 'Two **b**.',
        contentHtml: '<p>Two <strong>b</strong>.</p>',
        contentText: 'Two b.',
        state: 'INVESTIGATING',
        replacedAt: editedAt,
        replacedBy: { kind: 'TOKEN', label: expect.stringMatching(/\(.+\)$/) },
      },
      expect.objectContaining({
        content: 'One.',
        state: 'INVESTIGATING',
        replacedBy: { kind: 'PERSON', label: person.email },
      }),
    ]);
  });

  test('are not made by an edit that changes nothing', async () => {
    await service.patch(update.path, { content: 'One.' });
    expect((await read()).data.noticeUpdate).toMatchObject({ editedAt: null, revisions: [] });
  });

  test('do not tell visitors who replaced them', async () => {
    await service.patch(update.path, { content: 'Two.' });
    const anonymous = { token: null };
    const { data } = await read('editedAt revisions { content replacedAt }', anonymous);
    expect(data.noticeUpdate.revisions).toEqual([{ content: 'One.', replacedAt: data.noticeUpdate.editedAt }]);
    const refused = await read('revisions { replacedBy { label } }', anonymous);
    expect(refused.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  test('end with the update, and an edit leaves its text in the audit log', async () => {
    await service.patch(update.path, { content: 'Two.' });
    const { json } = await service.graphql(
      `{ auditLog(pageId: "${page}", first: 1) { nodes { changes { record field before after } } } }`,
    );
    expect(json.data.auditLog.nodes[0].changes).toContainEqual({
      record: 'NoticeUpdate',
      field: 'content',
      before: 'One.',
      after: 'Two.',
    });
    await service.delete(update.path);
    const left = 'select 1 from notice_update_revision where update_id = $1';
    expect(await service.database.query(left, [update.id])).toEqual([]);
  });

  test('are on the public page, escaped', async () => {
    await service.patch(update.path, { content: 'Right.' });
    await service.database.query(
      `update notice_update set created_at = created_at - interval '1 minute' where id = $1`,
      [update.id],
    );
    await service.patch(update.path, { content: 'Right & wrong.' });
    let html = '';
    for (let attempt = 0; attempt < 200 && !html.includes('Earlier text'); attempt++)
      html = (await service.get(`/status/${page}/`, { token: null })).text;
    expect(html).toMatch(/<details class="fold">\s*<summary>edited <time[\s\S]*Right\.[\s\S]*One\.[\s\S]*<\/details>/);
    expect(html).toContain('Right &amp; wrong.');
  });
});
