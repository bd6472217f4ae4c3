import type { TestService } from './service.js';

/** The fixed cast of these tests: one page with a tree, a notice of each kind and some over, subscribers and templates. */
export interface Cast {
  page: string;
  /** A page of the same service with nothing on it. */
  empty: string;
  /** Website is the parent of Search and Checkout; Checkout that of Cards. Mail stands alone. */
  components: Record<'website' | 'search' | 'checkout' | 'cards' | 'mail', string>;
  notices: Record<'incident' | 'resolved' | 'maintenance' | 'general', string>;
  subscribers: Record<'ada' | 'bob', string>;
  templates: Record<'page' | 'component', string>;
}

/** Sends one operation with the write token and returns its data; an error of any kind fails the test. */
export async function ask(service: TestService, query: string, variables?: Record<string, unknown>) {
  const { json } = await service.graphql(query, variables);
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data;
}

export async function makeCast(service: TestService): Promise<Cast> {
  const make = async (verb: string, type: string, shown: string, pageId: string, input: object): Promise<string> => {
    const data = await ask(
      service,
      `mutation($pageId: ID!, $input: ${type}!) { made: ${verb}(pageId: $pageId, input: $input) { ${shown} { id } } }`,
      {
        pageId,
        input,
      },
    );
    return data.made[shown].id;
  };
  const makePage = async (name: string) =>
    (await ask(service, 'mutation($name: String!) { createPage(input: { name: $name }) { page { id } } }', { name }))
      .createPage.page.id;
  const page = await makePage('All Clear');
  const empty = await makePage('Nothing here');
  const component = (name: string, parentId?: string) =>
    make('createComponent', 'CreateComponent', 'component', page, { name, parentId });
  const website = await component('Website');
  const search = await component('Search', website);
  const checkout = await component('Checkout', website);
  const cards = await component('Cards', checkout);
  const mail = await component('Mail');
  const notice = (input: object) => make('createNotice', 'CreateNotice', 'notice', page, input);
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
  await ask(
    service,
    'mutation($p: ID!, $n: ID!) { createNoticeUpdate(pageId: $p, noticeId: $n, input: { content: "Still at it." }) { update { id } } }',
    {
      p: page,
      n: incident,
    },
  );
  const subscriber = (input: object) => make('createSubscriber', 'CreateSubscriber', 'subscriber', page, input);
  const ada = await subscriber({ email: 'Ada@example.org', componentIds: [cards], tagList: ['vip'] });
  const bob = await subscriber({ phoneNumber: '+31612345678', firstName: 'Bob' });
  const template = (input: object) => make('createNoticeTemplate', 'CreateNoticeTemplate', 'template', page, input);
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
