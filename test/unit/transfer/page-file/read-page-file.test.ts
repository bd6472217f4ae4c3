import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { describeProblems, PageFileError } from '../../../../src/transfer/page-file/page-file.js';
import { derivePageFileFields } from '../../../../src/transfer/page-file/page-file.fields.js';
import { renderPageFileSchema } from '../../../../src/transfer/page-file/page-file-schema.js';
import type { PageState } from '../../../../src/transfer/page-file/page-file.js';
import { readPageFile } from '../../../../src/transfer/page-file/read-page-file.js';
import { renderPageFile } from '../../../../src/transfer/page-file/render-page-file.js';
import { schema } from '../../../../src/schema.js';

const fields = derivePageFileFields(schema);
const environment = { SLACK_URL: 'https://hooks.example/secret', TOKEN: 'token' };
const read = (text: string) => readPageFile(text, fields, environment);
const problemsOf = (text: string): string => {
  try {
    read(text);
    return '';
  } catch (error) {
    return describeProblems('page.yaml', error as PageFileError);
  }
};

test('examples/page.schema.json is up to date; if not, run npm run schema', () => {
  expect(readFileSync('examples/page.schema.json', 'utf8')).toBe(renderPageFileSchema(fields));
});

test('the schema accepts the example, and refuses what is misspelt', () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(renderPageFileSchema(fields)));
  const example = parse(readFileSync('examples/page.yaml', 'utf8'));
  expect([validate(example), validate.errors]).toEqual([true, null]);
  expect(validate({ page: { name: 'A', nmae: 'B' } })).toBe(false);
  expect(validate({ page: { name: 'A' }, channels: { SLACK: { url: 'https://hooks.example' } } })).toBe(false);
});

test('ids are text, whatever numbers they look like, and null clears', () => {
  const { page, components } = read(
    'page: { id: 2017e840, metaTitle: null, supportUrl: ~, privacyUrl:, name: "null", shouldShowUptime: false }\n' +
      'components: [{ id: 012, name: no, description: "" }]',
  );
  expect(page).toMatchObject({
    id: '2017e840',
    values: { metaTitle: null, supportUrl: null, privacyUrl: null, name: 'null', shouldShowUptime: false },
  });
  expect(components).toMatchObject([{ id: '012', values: { name: 'no', description: null } }]);
});

test('JSON is read, too, and anchors are', () => {
  expect(read('{"page":{"name":"A","holdSeconds":5}}').page.values).toEqual({ name: 'A', holdSeconds: 5 });
  const { templates } = read(
    'page: { name: A }\ntemplates:\n- { name: B, components: &web [Web] }\n- { name: C, components: *web }',
  );
  expect(templates!.map(({ components }) => components!.map(({ text }) => text))).toEqual([['Web'], ['Web']]);
});

test.each([
  ['itself', 'page: { name: A }\ncomponents: &all\n- { name: B, components: *all }'],
  [
    'aliases without end',
    `page: { name: A }\ncomponents:\n- { name: B, components: &c0 [{ name: C }, { name: D }] }${[1, 2, 3, 4, 5, 6, 7]
      .map(n => {
        const children = ['C', 'D'].map(name => `{ name: ${name}, components: *c${n - 1} }`);
        return `\n- { name: B${n}, components: &c${n} [${children.join(', ')}] }`;
      })
      .join('')}`,
  ],
])('an anchor that has %s is refused', (_, text) => {
  expect(problemsOf(text)).toContain('At most 100 aliases are read, with those in their anchors.');
});

test('secrets are variables of the environment', () => {
  const { channels } = read(
    `page: { name: A }\nchannels:\n  SLACK: { url: "\${SLACK_URL}" }\n  TEAMS: { url: "\${NONE}" }\n` +
      `  MASTODON: { url: https://social.example, token: "\${TOKEN}" }`,
  );
  expect(channels).toMatchObject([
    { channel: 'SLACK', credentials: { url: 'https://hooks.example/secret' } },
    { channel: 'TEAMS', credentials: null, missing: ['NONE'] },
    { channel: 'MASTODON', credentials: { url: 'https://social.example', token: 'token' } },
  ]);
});

test('all mistakes are reported with their lines', () => {
  const text = `page:
  nmae: Meridian
  name:
  locale: [en]
  holdSeconds: soon
  shouldShowUptime: yes
  reminder: WEEKLY
components:
  - description: none
  - name: API
  - name: API
    components: Web
channels:
  SLACK: { url: https://hooks.example/secret }
  MASTODON: {}
theme: none
metrics:
  - { name: Latency, unit: ms, color: , decimalPlaces: two, components: [API] }
  - name: Latency
`;
  expect(problemsOf(text).split('\n')).toEqual([
    'page.yaml:1: page must have an id or a name.',
    'page.yaml:2: page has no field nmae. Did you mean name?',
    'page.yaml:3: page: name must have a value. Leave it out to keep it as it is.',
    'page.yaml:4: page: locale must be a value, not a list and no fields of its own.',
    'page.yaml:5: page: holdSeconds must be a whole number, not soon.',
    'page.yaml:6: page: shouldShowUptime must be true or false, not yes.',
    'page.yaml:7: page: reminder must be one of NONE, ONE_DAY, ONE_HOUR, THREE_DAYS, not WEEKLY.',
    'page.yaml:9: Each of the components must have a name.',
    'page.yaml:11: Two components beside each other are named API. Give them their ids.',
    'page.yaml:12: components must be a list: lines that begin with a dash.',
    `page.yaml:14: SLACK: url must name a variable of the environment: \${NAME}.`,
    'page.yaml:14: SLACK must have a url.',
    'page.yaml:15: MASTODON must have a url.',
    'page.yaml:16: The file has no field theme. Did you mean templates?',
    'page.yaml:18: A metric has no field components. Did you mean color?',
    'page.yaml:18: A metric: color must have a value. Leave it out to keep it as it is.',
    'page.yaml:18: A metric: decimalPlaces must be a whole number, not two.',
    'page.yaml:19: Two metrics beside each other are named Latency. Give them their ids.',
    '',
  ]);
  const twice = 'page: { name: A }\ncomponents:\n- { id: 1, name: A }\n- name: B\n  components: [{ id: 1, name: C }]\n';
  expect(problemsOf(twice)).toBe('page.yaml:3: The id 1 is there twice.\n');
  expect(problemsOf('page: [')).toMatch(/^page\.yaml:1: /);
  expect(problemsOf('')).toMatch(/^page\.yaml:1: The file must have fields, such as page\.\n/);
  expect(problemsOf('page: { name: A, name: B }')).toContain('Map keys must be unique');
});

test('a page is shown without nulls, default switches and secrets, and with names that are unique', () => {
  const component = (id: string, name: string, parentId: string | null) => ({
    id,
    version: 1,
    values: { name, description: null },
    parentId,
    position: 1,
  });
  const switches = {
    shouldSendNotificationsBySlack: false,
    shouldSendNotificationsByTeams: false,
    shouldSendNotificationsByEmail: true,
  };
  const state: PageState = {
    page: { id: '20170000', version: 1, values: { name: 'A', metaTitle: null, ...switches } },
    brand: { id: '20170000', version: 1, values: { colorBodyText: '#000' } },
    components: [component('1', 'EU', null), component('2', 'API', '1'), component('3', 'API', null)],
    templates: [{ id: '123456', version: 1, values: { name: 'T' }, componentIds: ['1', '2', '3'] }],
    metrics: [{ id: '7', version: 1, values: { name: 'M', unit: null, decimalPlaces: 0 }, componentIds: [] }],
    channels: [
      { channel: 'EMAIL', isConfigured: true, host: null },
      { channel: 'TEAMS', isConfigured: false, host: null },
      { channel: 'SLACK', isConfigured: true, host: 'a.example' },
      { channel: 'MASTODON', isConfigured: true, host: 'b.example' },
    ],
  };
  expect(renderPageFile(state, fields, 'yaml')).toBe(`page:
  id: "20170000"
  name: A
  shouldSendNotificationsBySlack: false
brand:
  colorBodyText: "#000"
components:
  - id: 1
    name: EU
    components:
      - id: 2
        name: API
  - id: 3
    name: API
templates:
  - id: "123456"
    name: T
    components:
      - EU
      - EU / API
      - "3"
metrics:
  - id: "7"
    name: M
    decimalPlaces: 0
channels:
  SLACK:
    url: \${SLACK_URL}
  MASTODON:
    url: \${MASTODON_URL}
    token: \${MASTODON_TOKEN}
`);
  expect(read(renderPageFile(state, fields, 'json'))).toMatchObject({ page: { id: '20170000' } });
});
