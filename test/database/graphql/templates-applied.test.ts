import { beforeAll, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { codesByField, sentencesByField } from '../../support/user-errors.js';

/** A template is applied by its id: it carries texts, components, type and state, and the input takes precedence. */
const service = useService();
let page: string;
let web: string;
let api: string;
let outage: string;
const ask = async (document: string) => (await service.graphql(document)).json;
const createTemplate = async (input: string) =>
  ask(
    `mutation { createNoticeTemplate(pageId: "${page}", input: { ${input} }) {
      template: noticeTemplate { id __typename type state componentIds } } }`,
  );
beforeAll(async () => {
  page = (await createPage(service)).id;
  const create = async (name: string) =>
    (await ask(`mutation { createComponent(pageId: "${page}", input: { name: "${name}" }) { component { id } } }`)).data
      .createComponent.component.id;
  [web, api] = [await create('Web'), await create('API')];
  const values = `type: UNPLANNED, state: IDENTIFIED, componentIds: [${web}, ${api}]`;
  const created = await createTemplate(`name: "Outage", subject: "Down", content: "We look.", ${values}`);
  expect(created.data.createNoticeTemplate.template).toMatchObject({
    __typename: 'PageTemplate',
    type: 'UNPLANNED',
    state: 'IDENTIFIED',
    componentIds: [web, api],
  });
  outage = created.data.createNoticeTemplate.template.id;
});

const apply = (verb: string, input: string) =>
  ask(
    `mutation { ${verb}(pageId: "${page}", input: { ${input}, shouldPublish: false }) {
      notice { type subject state componentIds updates { nodes { content state } } } } }`,
  );

test('a preview applies it, too', async () => {
  const { data } = await ask(
    `{ previewPublication(pageId: "${page}", input: { openIncident: { templateId: "${outage}", shouldPublish: true } }) { text noticeState components { component { name } } } }`,
  );
  expect(data.previewPublication).toEqual({
    text: 'We look.',
    noticeState: 'IDENTIFIED',
    components: [{ component: { name: 'Web' } }, { component: { name: 'API' } }],
  });
});

test('openIncident takes texts, components and state from the template', async () => {
  expect((await apply('openIncident', `templateId: "${outage}"`)).data.openIncident.notice).toEqual({
    type: 'UNPLANNED',
    subject: 'Down',
    state: 'IDENTIFIED',
    componentIds: [web, api],
    updates: { nodes: [{ content: 'We look.', state: 'IDENTIFIED' }] },
  });
});

test('what the input says takes precedence', async () => {
  const input = `templateId: "${outage}", subject: "Web down", state: INVESTIGATING, componentIds: []`;
  expect((await apply('openIncident', input)).data.openIncident.notice).toMatchObject({
    subject: 'Web down',
    state: 'INVESTIGATING',
    componentIds: [],
    updates: { nodes: [{ content: 'We look.' }] },
  });
});

test('the other actions take a template without a type, or of their own', async () => {
  const anyType = (await createTemplate('name: "Any", subject: "Hello"')).data.createNoticeTemplate.template.id;
  const window = 'beginsAt: "2035-01-01T00:00:00Z", endsAt: "2035-01-01T01:00:00Z"';
  expect((await apply('announce', `templateId: "${anyType}"`)).data.announce.notice.subject).toBe('Hello');
  const maintenance = await apply('scheduleMaintenance', `templateId: "${anyType}", ${window}`);
  expect(maintenance.data.scheduleMaintenance.notice).toMatchObject({ subject: 'Hello', state: 'SCHEDULED' });
  expect(sentencesByField(await apply('announce', `templateId: "${outage}"`))).toEqual({
    templateId: expect.stringContaining('must be the id of a template for notices of this type'),
  });
  expect((await apply('announce', 'templateId: "nope12"')).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
});

test('a state must belong to the type of the template', async () => {
  expect(codesByField(await createTemplate('name: "X", state: RESOLVED'))).toEqual({ state: ['NOT_APPLICABLE'] });
  expect(codesByField(await createTemplate('name: "X", type: PLANNED, state: RESOLVED'))).toEqual({
    state: ['NOT_IN_LIST'],
  });
});

test('/v1 shows a template with one component as before, and what it writes is applied', async () => {
  const path = `/v1/pages/${page}/notice_templates`;
  const { json } = await service.post(path, { name: 'One', subject: 'Slow', component_id: web });
  expect(json.response).toMatchObject({ name: 'One', component_id: web });
  const { notice } = (await apply('openIncident', `templateId: "${json.response.id}"`)).data.openIncident;
  expect(notice).toMatchObject({ subject: 'Slow', componentIds: [web], state: 'INVESTIGATING' });
  const { json: many } = await service.get(`${path}/${outage}`);
  expect(Object.keys(many.response)).toEqual(['id', 'name', 'subject', 'initial_comment', 'created_at', 'updated_at']);
  await service.patch(`${path}/${json.response.id}`, { component_id: '' });
  const { data } = await ask(
    `{ noticeTemplate(pageId: "${page}", id: "${json.response.id}") { componentIds version } }`,
  );
  expect(data.noticeTemplate).toEqual({ componentIds: [], version: 2 });
});
