import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';
import { withPlainLists } from '../../support/graphql-records.js';
import { writeZip } from '../../support/zip-writer.js';

const service = useService();
let page: string;
beforeEach(async () => {
  page = (await write('createPage(input: { name: "Ours" }) { page { id } }')).createPage.page.id;
});

/** Sends a mutation that must succeed; `$page` is a new page. */
async function write(body: string) {
  const { json } = await service.graphql(`mutation { ${body.replaceAll('$page', JSON.stringify(page ?? ''))} }`);
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return withPlainLists(json.data);
}
/** Returns the errors of a mutation that must fail. */
async function refused(body: string) {
  const { status, json } = await service.graphql(`mutation { ${body.replaceAll('$page', JSON.stringify(page))} }`);
  expect(status).toBe(200);
  return json.errors as {
    message: string;
    path: string[];
    extensions: { code: string; fields?: Record<string, string[]> };
  }[];
}
const read = async (body: string) => {
  const { json } = await service.graphql(`{ ${body.replaceAll('$page', JSON.stringify(page))} }`);
  return { ...json, data: withPlainLists(json.data) };
};
const component = async (name: string, parentId?: string) =>
  (
    await write(
      `createComponent(pageId: $page, input: { name: "${name}"${parentId ? `, parentId: ${parentId}` : ''} }) { component { id } }`,
    )
  ).createComponent.component.id as string;
const notice = async (input: string) =>
  (await write(`openIncident(pageId: $page, input: { ${input}, shouldPublish: false }) { notice { id } }`)).openIncident
    .notice.id as string;

describe('pages', () => {
  test('createPage accepts enums, null and defaults, and returns the page with its brand', async () => {
    const data = await write(
      'createPage(input: { name: "New", locale: "pt-BR", timelineSortOrder: DESC, isVisibleToSearch: null, supportEmail: "a@b.example" }) { page { name locale timelineSortOrder isVisibleToSearch supportEmail version brand { version } } }',
    );
    expect(data.createPage.page).toEqual({
      name: 'New',
      locale: 'pt-BR',
      timelineSortOrder: 'DESC',
      isVisibleToSearch: true,
      supportEmail: 'a@b.example',
      version: 1,
      brand: { version: 1 },
    });
  });
});

describe('components', () => {
  test('createComponent, updateComponent and deleteComponent return the component and its page', async () => {
    const parent = await component('Web');
    const made = (
      await write(
        `createComponent(pageId: $page, input: { name: "API", description: "x", position: 7, parentId: ${parent} }) { component { id name description position parentId } page { components { nodes { name } } } }`,
      )
    ).createComponent;
    expect(made).toEqual({
      component: { id: expect.any(String), name: 'API', description: 'x', position: 7, parentId: parent },
      page: { components: [{ name: 'Web' }, { name: 'API' }] },
    });
    const changed = await write(
      `updateComponent(pageId: $page, id: ${made.component.id}, input: { parentId: null, description: null }) { component { parentId description position } }`,
    );
    expect(changed.updateComponent.component).toEqual({ parentId: null, description: null, position: 7 });
    expect((await write(`deleteComponent(pageId: $page, id: ${parent}) { deletedId }`)).deleteComponent).toEqual({
      deletedId: parent,
    });
  });

  test('a change of the tree changes states, and the payload shows them', async () => {
    const web = await component('Web');
    const api = await component('API');
    await notice(`subject: "Down", componentIds: [${web}]`);
    const data = await write(
      `updateComponent(pageId: $page, id: ${api}, input: { parentId: ${web} }) { component { state parent { state } } }`,
    );
    expect(data.updateComponent.component).toEqual({ state: 'PARTIALLY_DEGRADED', parent: { state: 'DEGRADED' } });
  });

  test('the payload shows every other component whose state changed, also after a deletion', async () => {
    const web = await component('Web');
    const api = await component('API', web);
    const cache = await component('Cache', api);
    await notice(`subject: "Down", componentIds: [${api}]`);
    const moved = await write(
      `updateComponent(pageId: $page, id: ${api}, input: { parentId: null }) { components { id state } page { state } }`,
    );
    expect(moved.updateComponent).toEqual({
      components: [
        { id: web, state: 'OPERATIONAL' },
        { id: api, state: 'DEGRADED' },
      ],
      page: { state: 'DEGRADED' },
    });
    const deleted = await write(
      `deleteComponent(pageId: $page, id: ${api}) { deletedId components { id state parentId } page { components { nodes { id } } } }`,
    );
    expect(deleted.deleteComponent).toEqual({
      deletedId: api,
      components: [{ id: cache, state: 'OPERATIONAL', parentId: null }],
      page: { components: [{ id: web }, { id: cache }] },
    });
  });
});

describe('notices', () => {
  test('openIncident returns the notice, its update, the changed components and the page', async () => {
    const web = await component('Web');
    const api = await component('API', web);
    await component('Mail');
    const data =
      await write(`openIncident(pageId: $page, input: { subject: "Down", content: "We *look*.", componentIds: [${api}], shouldPublish: true }) {
      notice { __typename subject synopsis timelineState ... on UnplannedNotice { state } updates { nodes { content isPublished } } components { nodes { name } } }
      components { name state } page { state components { nodes { name state } } } }`);
    expect(data.openIncident).toEqual({
      notice: {
        __typename: 'UnplannedNotice',
        subject: 'Down',
        synopsis: 'We look.\n',
        timelineState: 'PRESENT',
        state: 'INVESTIGATING',
        updates: [{ content: 'We *look*.', isPublished: true }],
        components: [{ name: 'API' }],
      },
      components: [
        { name: 'Web', state: 'PARTIALLY_DEGRADED' },
        { name: 'API', state: 'DEGRADED' },
      ],
      page: {
        state: 'DEGRADED',
        components: [
          { name: 'Web', state: 'PARTIALLY_DEGRADED' },
          { name: 'API', state: 'DEGRADED' },
          { name: 'Mail', state: 'OPERATIONAL' },
        ],
      },
    });
  });

  test('updateNotice changes the state, adds a comment, and returns the components it no longer names', async () => {
    const web = await component('Web');
    const mail = await component('Mail');
    const id = await notice(`subject: "Down", componentIds: [${web}]`);
    const data =
      await write(`updateNotice(pageId: $page, id: ${id}, input: { componentIds: [${mail}], state: IDENTIFIED, content: "Found.", shouldPublish: false }) {
      notice { ... on UnplannedNotice { state } updates { nodes { content } } } components { name state } }`);
    expect(data.updateNotice).toEqual({
      notice: { state: 'IDENTIFIED', updates: [{ content: 'Found.' }] },
      components: [
        { name: 'Web', state: 'OPERATIONAL' },
        { name: 'Mail', state: 'DEGRADED' },
      ],
    });
    const closed = await write(
      `updateNotice(pageId: $page, id: ${id}, input: { state: RESOLVED, shouldPublish: false }) { notice { timelineState endedAt } components { state } page { state } }`,
    );
    expect(closed.updateNotice).toEqual({
      notice: { timelineState: 'PAST_RECENT', endedAt: expect.any(String) },
      components: [{ state: 'OPERATIONAL' }],
      page: { state: 'OPERATIONAL' },
    });
  });

  test('a planned notice takes its window as times with any offset', async () => {
    const input =
      'subject: "Disks", shouldAutomateSchedule: true, beginsAt: "2031-05-02T00:30:00+02:00", endsAt: "2031-05-02T00:00Z"';
    const window = 'notice { ... on PlannedNotice { state beginsAt endsAt shouldAutomateSchedule } }';
    const data = await write(
      `scheduleMaintenance(pageId: $page, input: { ${input}, shouldPublish: false }) { ${window} }`,
    );
    expect(data.scheduleMaintenance.notice).toEqual({
      state: 'SCHEDULED',
      beginsAt: '2031-05-01T22:30:00.000Z',
      endsAt: '2031-05-02T00:00:00.000Z',
      shouldAutomateSchedule: true,
    });
  });

  test('deleteNotice returns its id, the components it named, and the page', async () => {
    const web = await component('Web');
    const id = await notice(`subject: "Down", componentIds: [${web}]`);
    const data = await write(
      `deleteNotice(pageId: $page, id: ${id}) { deletedId components { name state } page { state notices { nodes { id } } } }`,
    );
    expect(data.deleteNotice).toEqual({
      deletedId: id,
      components: [{ name: 'Web', state: 'OPERATIONAL' }],
      page: { state: 'OPERATIONAL', notices: [] },
    });
  });
});

test('a notice and a subscriber return the ids of any number of components', async () => {
  const made = await service.graphql(
    `mutation { ${Array.from({ length: 20 }, (_, key) => `a${key}: createComponent(pageId: "${page}", input: { name: "${key}" }) { component { id } }`).join(' ')} }`,
  );
  const twenty = Object.values(made.json.data as Record<string, { component: { id: string } }>).map(
    ({ component: { id } }) => id,
  );
  const others: string[] = [];
  while (others.length < 85) others.push(await component('x'));
  const ids = [...twenty, ...others];
  const named = `componentIds: ${JSON.stringify(ids)}`;
  const { notice: result } = (
    await write(
      `openIncident(pageId: $page, input: { subject: "All", shouldPublish: false, ${named} }) { notice { componentIds components { nodes { id } } } }`,
    )
  ).openIncident;
  expect([result.componentIds, result.components.length]).toEqual([ids, 25]);
  const made2 = await write(
    `createSubscriber(pageId: $page, input: { email: "a@b.example", ${named} }) { subscriber { componentIds } }`,
  );
  expect(made2.createSubscriber.subscriber.componentIds).toEqual(ids);
});

describe('updates of a notice', () => {
  test('are created, changed and deleted, with the resulting notice in the payload', async () => {
    const id = await notice('subject: "Down"');
    const made = (
      await write(
        `createNoticeUpdate(pageId: $page, noticeId: ${id}, input: { content: "One", shouldPublish: false }) { update: noticeUpdate { id content isPublished } notice { synopsis version } }`,
      )
    ).createNoticeUpdate;
    expect(made).toEqual({
      update: { id: expect.any(String), content: 'One', isPublished: false },
      notice: { synopsis: 'One\n', version: 2 },
    });
    const place = `pageId: $page, noticeId: ${id}, id: ${made.update.id}`;
    const changed = await write(
      `updateNoticeUpdate(${place}, input: { content: "Two" }) { update: noticeUpdate { content version } notice { synopsis version } }`,
    );
    expect(changed.updateNoticeUpdate).toEqual({
      update: { content: 'Two', version: 2 },
      notice: { synopsis: 'Two\n', version: 3 },
    });
    expect((await write(`deleteNoticeUpdate(${place}) { deletedId }`)).deleteNoticeUpdate).toEqual({
      deletedId: made.update.id,
    });
    expect((await read(`notice(pageId: $page, id: ${id}) { synopsis updates { nodes { id } } }`)).data.notice).toEqual({
      synopsis: '',
      updates: [],
    });
  });
});

describe('templates', () => {
  test('belong to the page or to a component, and can change between them', async () => {
    const web = await component('Web');
    const made = (
      await write(
        'createNoticeTemplate(pageId: $page, input: { name: "T", content: "Text" }) { template: noticeTemplate { __typename id content } }',
      )
    ).createNoticeTemplate.template;
    expect(made).toEqual({
      __typename: 'PageTemplate',
      id: expect.stringMatching(/^[A-Za-z0-9]{6}$/),
      content: 'Text',
    });
    const place = `pageId: $page, id: "${made.id}"`;
    const changed = await write(
      `updateNoticeTemplate(${place}, input: { componentId: ${web}, subject: "S" }) { template: noticeTemplate { __typename subject ... on ComponentTemplate { componentId } } }`,
    );
    expect(changed.updateNoticeTemplate.template).toEqual({
      __typename: 'ComponentTemplate',
      subject: 'S',
      componentId: web,
    });
    expect((await write(`deleteNoticeTemplate(${place}) { deletedId }`)).deleteNoticeTemplate).toEqual({
      deletedId: made.id,
    });
  });
});

describe('subscribers', () => {
  test('are created, changed and deleted', async () => {
    const web = await component('Web');
    const made = (
      await write(
        `createSubscriber(pageId: $page, input: { phoneNumber: "+31 (6) 1234-5678", tagList: ["a,b", " c "], componentIds: [${web}] }) { subscriber { id phoneNumber tagList tagText components { nodes { name } } } }`,
      )
    ).createSubscriber.subscriber;
    expect(made).toEqual({
      id: expect.any(String),
      phoneNumber: '+31612345678',
      tagList: ['a', 'b', 'c'],
      tagText: 'a,b,c',
      components: [{ name: 'Web' }],
    });
    const place = `pageId: $page, id: ${made.id}`;
    const changed = await write(
      `updateSubscriber(${place}, input: { email: "a@b.example", phoneNumber: null, componentIds: null, tagList: null }) { subscriber { email phoneNumber tagText components { nodes { id } } } }`,
    );
    expect(changed.updateSubscriber.subscriber).toEqual({
      email: 'a@b.example',
      phoneNumber: null,
      tagText: '',
      components: [],
    });
    expect((await write(`deleteSubscriber(${place}) { deletedId }`)).deleteSubscriber).toEqual({ deletedId: made.id });
  });

  test('are notified of the selected types of notices, and of all without a selection', async () => {
    const kinds = async (verb: string, given: string) => {
      const { subscriber } = Object.values(
        await write(`${verb}input: { ${given} }) { subscriber { id kinds } }`),
      )[0] as {
        subscriber: { id: string; kinds: string[] };
      };
      return subscriber;
    };
    const { id, ...made } = await kinds(
      'createSubscriber(pageId: $page, ',
      'email: "a@b.example", kinds: [GENERAL, UNPLANNED, GENERAL]',
    );
    expect(made).toEqual({ kinds: ['UNPLANNED', 'GENERAL'] });
    const update = (given: string) => kinds(`updateSubscriber(pageId: $page, id: ${id}, `, given);
    expect((await update('company: "x"')).kinds).toEqual(['UNPLANNED', 'GENERAL']);
    expect((await update('kinds: [PLANNED]')).kinds).toEqual(['PLANNED']);
    expect((await update('kinds: []')).kinds).toEqual(['UNPLANNED', 'PLANNED', 'GENERAL']);
    await update('kinds: [PLANNED]');
    expect((await update('kinds: null')).kinds).toEqual(['UNPLANNED', 'PLANNED', 'GENERAL']);
  });
});

describe('page settings', () => {
  test('include a brand, written by updateBrand and resetBrand', async () => {
    const data = await write(
      'updateBrand(pageId: $page, input: { colorBodyText: "#ABC", colorStateOk: null }) { brand { colorBodyText colorStateOk version } page { brand { colorBodyText } } }',
    );
    expect(data.updateBrand).toEqual({
      brand: { colorBodyText: '#ABC', colorStateOk: '#27ae60', version: 2 },
      page: { brand: { colorBodyText: '#ABC' } },
    });
    expect((await write('resetBrand(pageId: $page) { brand { colorBodyText } }')).resetBrand).toEqual({
      brand: { colorBodyText: '#2c3e50' },
    });
  });

  test('include a custom domain, written by setCustomDomain and deleteCustomDomain', async () => {
    const data = await write(
      'setCustomDomain(pageId: $page, input: { domain: "Status.Example.org" }) { customDomain { domain cnameTarget } page { endpoint } }',
    );
    expect(data.setCustomDomain).toEqual({
      customDomain: { domain: 'status.example.org', cnameTarget: expect.stringMatching(new RegExp(`^${page}\\.`)) },
      page: { endpoint: 'status.example.org' },
    });
    const given = await write(
      'deleteCustomDomain(pageId: $page) { customDomain { id } page { id customDomain { id } } }',
    );
    expect(given.deleteCustomDomain).toEqual({ customDomain: null, page: { id: page, customDomain: null } });
    expect((await refused('deleteCustomDomain(pageId: $page) { page { id } }'))[0]!.extensions.code).toBe('NOT_FOUND');
  });

  test('include a brand, written by updateBrand', async () => {
    const data = await write(
      'updateBrand(pageId: $page, input: { colorBodyText: "#ABC" }) { brand { id colorBodyText } page { id } }',
    );
    expect(data.updateBrand).toEqual({ brand: { id: page, colorBodyText: '#ABC' }, page: { id: page } });
  });

  test('include a theme, written by setTheme and deleteTheme', async () => {
    const zip = writeZip([{ name: 'status-page.liquid', content: '<h1>{{ page.name }}</h1>' }]).toString('base64');
    const data = await write(
      `setTheme(pageId: $page, input: { zip: "${zip}" }) { theme { createdAt updatedAt } page { theme { version } } }`,
    );
    expect(data.setTheme).toEqual({
      theme: { createdAt: expect.any(String), updatedAt: expect.any(String) },
      page: { theme: { version: 1 } },
    });
    expect((await write('deleteTheme(pageId: $page) { page { id } }')).deleteTheme).toEqual({ page: { id: page } });
  });

  test('refuse a theme that is no ZIP as INVALID, and one that is no base64 by its type', async () => {
    expect(
      (await refused('setTheme(pageId: $page, input: { zip: "aGVsbG8=" }) { theme { version } }'))[0]!.extensions,
    ).toMatchObject({
      code: 'INVALID',
      path: ['input', 'zip'],
    });
    expect((await refused('setTheme(pageId: $page, input: { zip: "?" }) { theme { version } }'))[0]).toMatchObject({
      locations: [{ line: 1, column: expect.any(Number) }],
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  });
});
