import { beforeAll, describe, expect, test } from '@jest/globals';
import { withPlainLists } from '../../support/graphql-records.js';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeAll(async () => {
  page = await createPublishingPage(service, {}, []);
});

/** The response of the fast path, which that of the standard execution equals. */
async function read(query: string, variables: object = {}) {
  const ask = async (text: string) => {
    const { json } = await service.graphql(text, { page: page.id, ...variables });
    if (json.errors) throw new Error(JSON.stringify(json.errors));
    return json.data;
  };
  const data = await ask(query);
  // A field that is no read makes the same query take the standard execution.
  const { __typename: root, ...standard } = await ask(query.replace(/\}\s*$/, '__typename }'));
  expect([root, standard]).toEqual(['Query', data]);
  return withPlainLists(data);
}

describe('the state of a notice', () => {
  const notices = 'query($page: ID!) { notices(pageId: $page, filter: { subject: { eq: "State" } }) { nodes';
  const window = { begins_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-01T01:00:00Z' };
  beforeAll(async () => {
    await page.notice({ subject: 'State', state: 'recovering', should_publish: false });
    await page.notice({ subject: 'State', type: 'planned', ...window, should_publish: false });
    await page.notice({ subject: 'State', type: 'general', should_publish: false });
  });

  test('is a field of the interface, null for announcements', async () => {
    expect((await read(`${notices} { type state } } }`)).notices.nodes).toEqual([
      { type: 'GENERAL', state: null },
      { type: 'PLANNED', state: 'SCHEDULED' },
      { type: 'UNPLANNED', state: 'RECOVERING' },
    ]);
  });

  test('can be selected on the types as well, under one key for those that have a state', async () => {
    const query = `${notices} { type ... on UnplannedNotice { state } ... on PlannedNotice { state } } } }`;
    expect((await read(query)).notices.nodes).toEqual([
      { type: 'GENERAL' },
      { type: 'PLANNED', state: 'SCHEDULED' },
      { type: 'UNPLANNED', state: 'RECOVERING' },
    ]);
  });

  test('comes with those that can follow it', async () => {
    expect((await read(`${notices} { nextStates } } }`)).notices.nodes).toEqual([
      { nextStates: [] },
      { nextStates: ['CANCELLED', 'UNDERWAY', 'COMPLETE'] },
      { nextStates: ['INVESTIGATING', 'IDENTIFIED', 'RESOLVED', 'FALSE_ALARM'] },
    ]);
  });

  test('filters the notices', async () => {
    const query = 'query($page: ID!) { notices(pageId: $page, filter: { state: { eq: SCHEDULED } }) { totalCount } }';
    expect((await read(query)).notices.totalCount).toBe(1);
  });
});

describe('edges lead both ways', () => {
  test('between updates, notices, components and the page', async () => {
    const component = await page.component('Cards');
    const id = await page.notice({ subject: 'Both ways', component_ids: [component], should_publish: false });
    await page.update(id, 'We look.');
    const query = `query($page: ID!, $id: ID!) {
      notice(pageId: $page, id: $id) {
        page { id }
        components { nodes { page { id } } }
        updates { nodes { notice { id subject page { id } updates { nodes { content } } } } }
      }
    }`;
    expect((await read(query, { id })).notice).toEqual({
      page: { id: page.id },
      components: [{ page: { id: page.id } }],
      updates: [
        {
          notice: { id: String(id), subject: 'Both ways', page: { id: page.id }, updates: [{ content: 'We look.' }] },
        },
      ],
    });
  });

  test('between publications, notices, updates, deliveries and subscribers, which can be deleted', async () => {
    const subscriber = await page.subscribe('ada@example.com');
    const id = await page.notice({ subject: 'Told', initial_comment: 'We look.' });
    await fanOutAll(service.database);
    const query = `query($page: ID!, $id: ID!) {
      publications(pageId: $page, filter: { noticeId: { eq: $id } }) {
        nodes {
          page { id }
          notice { id }
          update { content }
          deliveries { nodes { address page { id } subscriber { email page { id } deliveries(first: 5) { nodes { channel } } } } }
        }
      }
    }`;
    const [publication] = (await read(query, { id })).publications.nodes;
    const email = 'ada@example.com';
    const deliveries = [{ channel: 'EMAIL' }];
    expect(publication).toEqual({
      page: { id: page.id },
      notice: { id: String(id) },
      update: { content: 'We look.' },
      deliveries: [{ address: email, page: { id: page.id }, subscriber: { email, page: { id: page.id }, deliveries } }],
    });
    await service.delete(`/v1/pages/${page.id}/subscribers/${subscriber}`);
    await service.delete(`/v1/pages/${page.id}/notices/${id}`);
    expect((await read(query, { id })).publications.nodes).toEqual([
      {
        ...publication,
        notice: null,
        update: null,
        deliveries: [{ address: email, page: { id: page.id }, subscriber: null }],
      },
    ]);
  });

  test('from a template to its page', async () => {
    await service.post(`/v1/pages/${page.id}/notice_templates`, { name: 'Outage' });
    const { noticeTemplates } = await read(
      'query($page: ID!) { noticeTemplates(pageId: $page) { nodes { page { id } } } }',
    );
    expect(noticeTemplates.nodes).toEqual([{ page: { id: page.id } }]);
  });
});

describe('the payload of a mutation carries what changed', () => {
  const write = async (mutation: string, variables: object) => {
    const { json } = await service.graphql(mutation, { page: page.id, ...variables });
    expect(json.errors).toBeUndefined();
    return Object.values(withPlainLists(json.data))[0];
  };

  test('when an update is deleted', async () => {
    const notice = await page.notice({ subject: 'Payload', initial_comment: 'First', should_publish: false });
    await page.update(notice, 'Second');
    const [first] = await service.database.query<{ id: number }>(
      'select id from notice_update where notice_id = $1 order by id',
      [notice],
    );
    const mutation = `mutation($page: ID!, $notice: ID!, $id: ID!) {
      deleteNoticeUpdate(pageId: $page, noticeId: $notice, id: $id) { deletedId notice { synopsis updates { nodes { content } } } }
    }`;
    expect(await write(mutation, { notice, id: first!.id })).toEqual({
      deletedId: String(first!.id),
      notice: { synopsis: 'Second\n', updates: [{ content: 'Second' }] },
    });
  });

  test('when a subscriber is created and deleted', async () => {
    const fields = 'page { id subscribers(filter: { email: { eq: "new@example.com" } }) { nodes { email } } }';
    const create = `mutation($page: ID!) {
      createSubscriber(pageId: $page, input: { email: "new@example.com" }) { subscriber { id } ${fields} }
    }`;
    const created = (await write(create, {})) as { subscriber: { id: string } };
    expect(created).toMatchObject({ page: { id: page.id, subscribers: [{ email: 'new@example.com' }] } });
    const { id } = created.subscriber;
    const remove = `mutation($page: ID!, $id: ID!) { deleteSubscriber(pageId: $page, id: $id) { deletedId ${fields} } }`;
    expect(await write(remove, { id })).toEqual({ deletedId: id, page: { id: page.id, subscribers: [] } });
  });

  test('when a template is deleted, subscribers are imported, and deliveries are resent', async () => {
    const { json } = await service.post(`/v1/pages/${page.id}/notice_templates`, { name: 'Gone' });
    const { id } = json.response;
    const remove =
      'mutation($page: ID!, $id: ID!) { deleteNoticeTemplate(pageId: $page, id: $id) { deletedId page { id } } }';
    expect(await write(remove, { id })).toEqual({ deletedId: id, page: { id: page.id } });
    const input = { csv: 'email\nlisted@example.com\n', consentSource: 'a list' };
    const importAll = `mutation($page: ID!, $input: ImportSubscribersInput!) {
      importSubscribers(pageId: $page, dryRun: false, input: $input) { added page { id } }
    }`;
    expect(await write(importAll, { input })).toEqual({ added: 1, page: { id: page.id } });
    const resend = 'mutation($page: ID!) { resendDeliveries(pageId: $page) { count page { id } } }';
    expect(await write(resend, {})).toEqual({ count: 0, page: { id: page.id } });
  });
});
