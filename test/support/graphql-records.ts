import type { TestService } from './service.js';

/** The records of the GraphQL tests: a page with a component tree, notices of each type, subscribers and templates. */
export interface GraphqlRecords {
  page: string;
  /** A page without records. */
  empty: string;
  /** Website is the parent of Search and Checkout, Checkout the parent of Cards; Mail has no parent. */
  components: Record<'website' | 'search' | 'checkout' | 'cards' | 'mail', string>;
  notices: Record<'incident' | 'resolved' | 'maintenance' | 'general', string>;
  subscribers: Record<'ada' | 'bob', string>;
  templates: Record<'page' | 'component', string>;
}

/** Sends an operation with the write token and returns its data; throws on any error. */
export async function execute(service: TestService, query: string, variables?: Record<string, unknown>) {
  const { json } = await service.graphql(query, variables);
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data;
}

export async function createGraphqlRecords(service: TestService): Promise<GraphqlRecords> {
  const create = async (
    mutation: string,
    type: string,
    result: string,
    pageId: string,
    input: object,
  ): Promise<string> => {
    const data = await execute(
      service,
      `mutation($pageId: ID!, $input: ${type}!) { created: ${mutation}(pageId: $pageId, input: $input) { ${result} { id } } }`,
      {
        pageId,
        input,
      },
    );
    return data.created[result].id;
  };
  const createPage = async (name: string) =>
    (
      await execute(service, 'mutation($name: String!) { createPage(input: { name: $name }) { page { id } } }', {
        name,
      })
    ).createPage.page.id;
  const page = await createPage('All Clear');
  const empty = await createPage('Nothing here');
  const component = (name: string, parentId?: string) =>
    create('createComponent', 'CreateComponent', 'component', page, { name, parentId });
  const website = await component('Website');
  const search = await component('Search', website);
  const checkout = await component('Checkout', website);
  const cards = await component('Cards', checkout);
  const mail = await component('Mail');
  const notice = (input: object) => create('createNotice', 'CreateNotice', 'notice', page, input);
  const resolved = await notice({
    subject: 'Slow search',
    state: 'RESOLVED',
    componentIds: [search],
    initialComment: 'It was *slow*.',
    tagList: ['search', 'slow'],
  });
  const incident = await notice({ subject: 'Cards fail', componentIds: [cards], initialComment: 'We look into it.' });
  const maintenance = await notice({
    type: 'PLANNED',
    subject: 'New disks',
    componentIds: [mail],
    beginsAt: '2031-01-01T10:00:00Z',
    endsAt: '2031-01-01T12:00:00Z',
  });
  const general = await notice({ type: 'GENERAL', subject: 'Hello', tagList: ['news'] });
  await execute(
    service,
    'mutation($p: ID!, $n: ID!) { createNoticeUpdate(pageId: $p, noticeId: $n, input: { content: "Still at it." }) { update { id } } }',
    {
      p: page,
      n: incident,
    },
  );
  const subscriber = (input: object) => create('createSubscriber', 'CreateSubscriber', 'subscriber', page, input);
  const ada = await subscriber({ email: 'Ada@example.org', componentIds: [cards], tagList: ['vip'] });
  const bob = await subscriber({ phoneNumber: '+31612345678', firstName: 'Bob' });
  const template = (input: object) => create('createNoticeTemplate', 'CreateNoticeTemplate', 'template', page, input);
  const templates = {
    page: await template({ name: 'Anything', subject: 'Something is wrong' }),
    component: await template({ name: 'Cards', componentId: cards }),
  };
  return {
    page,
    empty,
    components: { website, search, checkout, cards, mail },
    notices: { incident, resolved, maintenance, general },
    subscribers: { ada, bob },
    templates,
  };
}
