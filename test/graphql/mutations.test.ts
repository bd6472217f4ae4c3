import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { writeZip } from '../support/zip-writer.js';

let service: TestService;
let page: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  page = (await write('createPage(input: { name: "Ours" }) { page { id } }')).createPage.page.id;
});

/** Sends one mutation that is to succeed; `$page` is a new page. */
async function write(body: string) {
  const { json } = await service.graphql(`mutation { ${body.replaceAll('$page', JSON.stringify(page ?? ''))} }`);
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data;
}
/** The errors of one that is to fail. */
async function refused(body: string) {
  const { status, json } = await service.graphql(`mutation { ${body.replaceAll('$page', JSON.stringify(page))} }`);
  expect(status).toBe(200);
  return json.errors as { message: string; path: string[]; extensions: { code: string; fields?: Record<string, string[]> } }[];
}
const read = async (body: string) => (await service.graphql(`{ ${body.replaceAll('$page', JSON.stringify(page))} }`)).json;
const component = async (name: string, parentId?: string) =>
  (await write(`createComponent(pageId: $page, input: { name: "${name}"${parentId ? `, parentId: ${parentId}` : ''} }) { component { id } }`)).createComponent
    .component.id as string;
const notice = async (input: string) => (await write(`createNotice(pageId: $page, input: { ${input} }) { notice { id } }`)).createNotice.notice.id as string;

describe('Pages', () => {
  test('createPage takes enums, null and defaults, and shows the page with its brand', async () => {
    const data = await write(
      'createPage(input: { name: "New", locale: "pt-BR", timelineSortOrder: DESC, visibleToSearch: null, supportEmail: "a@b.example" }) { page { name locale timelineSortOrder visibleToSearch supportEmail version brand { version } } }',
    );
    expect(data.createPage.page).toEqual({
      name: 'New',
      locale: 'pt-BR',
      timelineSortOrder: 'DESC',
      visibleToSearch: true,
      supportEmail: 'a@b.example',
      version: 1,
      brand: { version: 1 },
    });
  });

  test('updatePage keeps what is absent, clears what is null, and moves the version', async () => {
    await write('updatePage(id: $page, input: { metaTitle: "T", supportTelephone: "1" }) { page { id } }');
    const data = await write('updatePage(id: $page, input: { metaTitle: null }) { page { name metaTitle supportTelephone version } }');
    expect(data.updatePage.page).toEqual({ name: 'Ours', metaTitle: null, supportTelephone: '1', version: 3 });
  });

  test('deletePage deletes all that is on it', async () => {
    const id = await component('Web');
    expect((await write('deletePage(id: $page) { id }')).deletePage).toEqual({ id: page });
    expect((await read(`component(pageId: $page, id: ${id}) { id }`)).errors[0].message).toBe("We couldn't find the page you were looking for.");
  });
});

describe('Components', () => {
  test('createComponent, updateComponent and deleteComponent answer with the component and its page', async () => {
    const parent = await component('Web');
    const made = (
      await write(
        `createComponent(pageId: $page, input: { name: "API", description: "x", position: 7, parentId: ${parent} }) { component { id name description position parentId } page { components { name } } }`,
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
    expect((await write(`deleteComponent(pageId: $page, id: ${parent}) { id }`)).deleteComponent).toEqual({ id: parent });
  });

  test('a change of the tree moves states, and the payload shows them', async () => {
    const [web, api] = [await component('Web'), await component('API')];
    await notice(`subject: "Down", componentIds: [${web}]`);
    const data = await write(`updateComponent(pageId: $page, id: ${api}, input: { parentId: ${web} }) { component { state parent { state } } }`);
    expect(data.updateComponent.component).toEqual({ state: 'PARTIALLY_DEGRADED', parent: { state: 'DEGRADED' } });
  });
});

describe('Notices', () => {
  test('createNotice shows notice, update, components that moved and page in one round trip', async () => {
    const web = await component('Web');
    const api = await component('API', web);
    await component('Mail');
    const data =
      await write(`createNotice(pageId: $page, input: { subject: "Down", initialComment: "We *look*.", componentIds: [${api}], shouldPublish: true }) {
      notice { __typename subject synopsis timelineState ... on UnplannedNotice { state } updates { content shouldPublish } components { name } }
      components { name state } page { state components { name state } } }`);
    expect(data.createNotice).toEqual({
      notice: {
        __typename: 'UnplannedNotice',
        subject: 'Down',
        synopsis: 'We look.\n',
        timelineState: 'PRESENT',
        state: 'INVESTIGATING',
        updates: [{ content: 'We *look*.', shouldPublish: true }],
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

  test('updateNotice moves the state, comments, and shows the components it names no more', async () => {
    const [web, mail] = [await component('Web'), await component('Mail')];
    const id = await notice(`subject: "Down", componentIds: [${web}]`);
    const data = await write(`updateNotice(pageId: $page, id: ${id}, input: { componentIds: [${mail}], state: IDENTIFIED, additionalComment: "Found." }) {
      notice { ... on UnplannedNotice { state } updates { content } } components { name state } }`);
    expect(data.updateNotice).toEqual({
      notice: { state: 'IDENTIFIED', updates: [{ content: 'Found.' }] },
      components: [
        { name: 'Web', state: 'OPERATIONAL' },
        { name: 'Mail', state: 'DEGRADED' },
      ],
    });
    const closed = await write(
      `updateNotice(pageId: $page, id: ${id}, input: { state: RESOLVED }) { notice { timelineState endedAt } components { state } page { state } }`,
    );
    expect(closed.updateNotice).toEqual({
      notice: { timelineState: 'PAST_RECENT', endedAt: expect.any(String) },
      components: [{ state: 'OPERATIONAL' }],
      page: { state: 'OPERATIONAL' },
    });
  });

  test('a planned one has a window by moments, or by date, time and duration', async () => {
    const window = 'notice { ... on PlannedNotice { state beginsAt endsAt shouldAutomateSchedule } }';
    const expected = { state: 'SCHEDULED', beginsAt: '2031-05-01T22:30:00.000Z', endsAt: '2031-05-02T00:00:00.000Z', shouldAutomateSchedule: true };
    for (const input of [
      'beginsAt: "2031-05-02T00:30:00+02:00", endsAt: "2031-05-02"',
      'beginsAtDate: "2031-05-01", beginsAtTime: "22:30", durationInMinutes: 90',
    ]) {
      const data = await write(`createNotice(pageId: $page, input: { type: PLANNED, subject: "Disks", shouldAutomateSchedule: true, ${input} }) { ${window} }`);
      expect(data.createNotice.notice).toEqual(expected);
    }
  });

  test('deleteNotice shows its id, the components it named, and the page', async () => {
    const web = await component('Web');
    const id = await notice(`subject: "Down", componentIds: [${web}]`);
    const data = await write(`deleteNotice(pageId: $page, id: ${id}) { id components { name state } page { state notices { id } } }`);
    expect(data.deleteNotice).toEqual({ id, components: [{ name: 'Web', state: 'OPERATIONAL' }], page: { state: 'OPERATIONAL', notices: [] } });
  });
});

describe('Updates of a notice', () => {
  test('are created, changed and deleted, and the notice is shown as it then is', async () => {
    const id = await notice('subject: "Down"');
    const made = (
      await write(
        `createNoticeUpdate(pageId: $page, noticeId: ${id}, input: { content: "One", shouldPublish: false }) { update { id content shouldPublish } notice { synopsis version } }`,
      )
    ).createNoticeUpdate;
    expect(made).toEqual({ update: { id: expect.any(String), content: 'One', shouldPublish: false }, notice: { synopsis: 'One\n', version: 2 } });
    const place = `pageId: $page, noticeId: ${id}, id: ${made.update.id}`;
    const changed = await write(`updateNoticeUpdate(${place}, input: { content: "Two" }) { update { content version } notice { synopsis version } }`);
    expect(changed.updateNoticeUpdate).toEqual({ update: { content: 'Two', version: 2 }, notice: { synopsis: 'Two\n', version: 3 } });
    expect((await write(`deleteNoticeUpdate(${place}) { id }`)).deleteNoticeUpdate).toEqual({ id: made.update.id });
    expect((await read(`notice(pageId: $page, id: ${id}) { synopsis updates { id } }`)).data.notice).toEqual({ synopsis: '', updates: [] });
  });
});

describe('Templates', () => {
  test('are of the page or of a component, and may change over', async () => {
    const web = await component('Web');
    const made = (await write('createNoticeTemplate(pageId: $page, input: { name: "T", content: "Old name" }) { template { __typename id initialComment } }'))
      .createNoticeTemplate.template;
    expect(made).toEqual({ __typename: 'PageTemplate', id: expect.stringMatching(/^[A-Za-z0-9]{6}$/), initialComment: 'Old name' });
    const place = `pageId: $page, id: "${made.id}"`;
    const changed = await write(
      `updateNoticeTemplate(${place}, input: { componentId: ${web}, subject: "S" }) { template { __typename subject ... on ComponentTemplate { componentId } } }`,
    );
    expect(changed.updateNoticeTemplate.template).toEqual({ __typename: 'ComponentTemplate', subject: 'S', componentId: web });
    expect((await write(`deleteNoticeTemplate(${place}) { id }`)).deleteNoticeTemplate).toEqual({ id: made.id });
  });
});

describe('Subscribers', () => {
  test('are created, changed and deleted', async () => {
    const web = await component('Web');
    const made = (
      await write(
        `createSubscriber(pageId: $page, input: { phoneNumber: "+31 (6) 1234-5678", tagList: ["a,b", " c "], componentIds: [${web}] }) { subscriber { id phoneNumber tagList tagText components { name } } }`,
      )
    ).createSubscriber.subscriber;
    expect(made).toEqual({ id: expect.any(String), phoneNumber: '+31612345678', tagList: ['a', 'b', 'c'], tagText: 'a,b,c', components: [{ name: 'Web' }] });
    const place = `pageId: $page, id: ${made.id}`;
    const changed = await write(
      `updateSubscriber(${place}, input: { email: "a@b.example", phoneNumber: null, componentIds: null, tagList: null }) { subscriber { email phoneNumber tagText components { id } } }`,
    );
    expect(changed.updateSubscriber.subscriber).toEqual({ email: 'a@b.example', phoneNumber: null, tagText: '', components: [] });
    expect((await write(`deleteSubscriber(${place}) { id }`)).deleteSubscriber).toEqual({ id: made.id });
  });
});

describe('The dress of a page', () => {
  test('updateBrand and resetBrand', async () => {
    const data = await write(
      'updateBrand(pageId: $page, input: { colorBodyText: "#ABC", colorStateOk: null }) { brand { colorBodyText colorStateOk version } page { brand { colorBodyText } } }',
    );
    expect(data.updateBrand).toEqual({ brand: { colorBodyText: '#ABC', colorStateOk: '#27ae60', version: 2 }, page: { brand: { colorBodyText: '#ABC' } } });
    expect((await write('resetBrand(pageId: $page) { brand { colorBodyText } }')).resetBrand).toEqual({ brand: { colorBodyText: '#2c3e50' } });
  });

  test('setCustomDomain and deleteCustomDomain', async () => {
    const data = await write('setCustomDomain(pageId: $page, input: { domain: "Status.Example.org" }) { customDomain { type from to } page { endpoint } }');
    expect(data.setCustomDomain).toEqual({
      customDomain: { type: 'CNAME', from: 'status.example.org', to: expect.stringMatching(new RegExp(`^${page}\\.`)) },
      page: { endpoint: 'status.example.org' },
    });
    expect((await write('deleteCustomDomain(pageId: $page) { id }')).deleteCustomDomain).toEqual({ id: page });
    expect((await refused('deleteCustomDomain(pageId: $page) { id }'))[0]!.extensions.code).toBe('NOT_FOUND');
  });

  test('setTheme and deleteTheme', async () => {
    const zip = writeZip([{ name: 'status-page.liquid', content: '<h1>{{ page.name }}</h1>' }]).toString('base64');
    const data = await write(`setTheme(pageId: $page, input: { zip: "${zip}" }) { theme { createdAt updatedAt } page { theme { version } } }`);
    expect(data.setTheme).toEqual({ theme: { createdAt: expect.any(String), updatedAt: expect.any(String) }, page: { theme: { version: 1 } } });
    expect((await write('deleteTheme(pageId: $page) { id }')).deleteTheme).toEqual({ id: page });
  });

  test('a theme that is no ZIP is INVALID, and one that is no base64 does not fit its type', async () => {
    expect((await refused('setTheme(pageId: $page, input: { zip: "aGVsbG8=" }) { theme { version } }'))[0]!.extensions).toEqual({
      code: 'INVALID',
      fields: { zip: expect.any(Array) },
    });
    expect((await refused('setTheme(pageId: $page, input: { zip: "?" }) { theme { version } }'))[0]!.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('What is wrong with an input', () => {
  test('is told all at once, by field, in the names of the graph', async () => {
    const [error, ...others] = await refused(
      'createNotice(pageId: $page, input: { type: PLANNED, subject: " ", componentIds: [999999], durationInMinutes: 0, state: RESOLVED }) { notice { id } }',
    );
    expect(others).toEqual([]);
    expect(error).toMatchObject({ message: 'The current resource was deemed invalid.', path: ['createNotice'], extensions: { code: 'INVALID' } });
    expect(error!.extensions.fields).toMatchObject({
      subject: ["can't be blank"],
      componentIds: ['is invalid'],
      state: ['is not included in the list'],
      durationInMinutes: ['must be greater than 0'],
    });
  });

  test.each([
    ['createPage(input: { name: "" }) { page { id } }', { name: ["can't be blank"] }],
    [
      'createPage(input: { name: "x", timezone: "Atlantis", locale: "xx" }) { page { id } }',
      { timezone: ['is not included in the list'], locale: ['is not included in the list'] },
    ],
    ['createPage(input: { name: "x", timelineThreshold: 0 }) { page { id } }', { timelineThreshold: ['must be greater than 0'] }],
    [`createComponent(pageId: $page, input: { name: "${'x'.repeat(256)}" }) { component { id } }`, { name: ['is too long (maximum is 255 characters)'] }],
    ['createComponent(pageId: $page, input: { name: "x", parentId: "abc" }) { component { id } }', { parentId: ['is invalid'] }],
    ['createSubscriber(pageId: $page, input: { nickname: "x" }) { subscriber { id } }', { email: ["can't be blank"], phoneNumber: ["can't be blank"] }],
    ['updateBrand(pageId: $page, input: { colorBodyText: "red" }) { brand { version } }', { colorBodyText: ['is invalid'] }],
    ['setCustomDomain(pageId: $page, input: { domain: "127.0.0.1" }) { customDomain { to } }', { domain: ['is invalid'] }],
    ['createNoticeTemplate(pageId: $page, input: { name: " " }) { template { id } }', { name: ["can't be blank"] }],
  ])('%s', async (body, fields) => {
    expect((await refused(body))[0]!.extensions).toEqual({ code: 'INVALID', fields });
  });

  test('of two subscribers with one address is that it is taken', async () => {
    await write('createSubscriber(pageId: $page, input: { email: "a@b.example" }) { subscriber { id } }');
    const [error] = await refused('createSubscriber(pageId: $page, input: { email: "A@B.example" }) { subscriber { id } }');
    expect(error!.extensions).toEqual({ code: 'INVALID', fields: { email: ['has already been taken'] } });
  });

  test('writes nothing', async () => {
    await refused('updatePage(id: $page, input: { name: "Other", locale: "xx" }) { page { id } }');
    expect((await read('page(id: $page) { name version }')).data.page).toEqual({ name: 'Ours', version: 1 });
  });

  test.each([
    ['updatePage(id: "00000000", input: {}) { page { id } }', 'page'],
    ['updateNotice(pageId: $page, id: 999999, input: {}) { notice { id } }', 'notice'],
    ['deleteComponent(pageId: $page, id: "abc") { id }', 'component'],
    ['createNoticeUpdate(pageId: $page, noticeId: 999999, input: { content: "x" }) { update { id } }', 'notice'],
    ['deleteSubscriber(pageId: "00000000", id: 1) { id }', 'page'],
  ])('%s: what is not there is NOT_FOUND', async (body, word) => {
    expect(await refused(body)).toEqual([
      expect.objectContaining({ message: `We couldn't find the ${word} you were looking for.`, extensions: { code: 'NOT_FOUND' } }),
    ]);
  });

  test('that does not fit its type is told by graphql, and nothing runs', async () => {
    const query = 'mutation($i: CreatePage!) { createPage(input: $i) { page { id } } }';
    for (const i of [{}, { name: 1 }, { name: 'x', nothing: 1 }, { name: 'x', timelineSortOrder: 'UP' }, { name: 'x', timelineThreshold: 2 ** 31 }])
      expect((await service.graphql(query, { i })).json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('ifVersion', () => {
  test.each([
    ['updatePage(id: $page, ifVersion: VERSIONS, input: { metaTitle: "x" }) { page { id } }'],
    ['updateBrand(pageId: $page, ifVersion: VERSIONS, input: { colorBodyText: "#000" }) { brand { version } }'],
    ['resetBrand(pageId: $page, ifVersion: VERSIONS) { brand { version } }'],
    ['deletePage(id: $page, ifVersion: VERSIONS) { id }'],
  ])('%s', async body => {
    expect(await refused(body.replace('VERSIONS', '[2]'))).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/version/), extensions: { code: 'PRECONDITION_FAILED' } }),
    ]);
    expect(await refused(body.replace('VERSIONS', '[]'))).toEqual([expect.objectContaining({ extensions: { code: 'PRECONDITION_FAILED' } })]);
    expect(await write(body.replace('VERSIONS', '[7, 1]'))).toBeTruthy();
  });

  test('of null is any', async () => {
    expect((await write('updatePage(id: $page, ifVersion: null, input: { metaTitle: "x" }) { page { version } }')).updatePage.page.version).toBe(2);
  });

  test('lets one of two writers win who have seen the same', async () => {
    const id = await notice('subject: "Down"');
    const update = (subject: string) =>
      service.graphql(`mutation { updateNotice(pageId: "${page}", id: ${id}, ifVersion: [1], input: { subject: "${subject}" }) { notice { subject } } }`);
    const answers = await Promise.all([update('one'), update('two')]);
    expect(answers.map(({ json }) => json.errors?.[0].extensions.code ?? 'written').sort()).toEqual(['PRECONDITION_FAILED', 'written']);
  });

  test('of a record that is not there is NOT_FOUND, and a wrong input is looked at after it', async () => {
    expect((await refused('updateNotice(pageId: $page, id: 999999, ifVersion: [5], input: {}) { notice { id } }'))[0]!.extensions.code).toBe('NOT_FOUND');
    expect((await refused('updatePage(id: $page, ifVersion: [5], input: { name: "" }) { page { id } }'))[0]!.extensions.code).toBe('PRECONDITION_FAILED');
  });
});

describe('Several mutations in one request', () => {
  const create = (key: string, name: string) =>
    `${key}: createComponent(pageId: "${page}", input: { name: "${name}" }) { component { position } page { components { name } } }`;

  test('run one after the other, and each sees the one before it', async () => {
    const { json } = await service.graphql(`mutation { ${create('a', 'A')} ${create('b', 'B')} }`);
    expect(json).toEqual({
      data: {
        a: { component: { position: 1 }, page: { components: [{ name: 'A' }] } },
        b: { component: { position: 2 }, page: { components: [{ name: 'A' }, { name: 'B' }] } },
      },
    });
  });

  test('end with the first that is refused; what was written before it stays', async () => {
    const { json } = await service.graphql(`mutation { ${create('a', 'A')} ${create('b', '')} ${create('c', 'C')} }`);
    expect(json.errors).toEqual([expect.objectContaining({ path: ['b'] })]);
    expect((await read('components(pageId: $page) { nodes { name } }')).data.components.nodes).toEqual([{ name: 'A' }]);
  });
});
