import { type OperationDefinitionNode, parse, validate } from 'graphql';
import { toPlainText } from '../../src/content/markdown/plain-text.js';
import { renderMarkdown } from '../../src/content/markdown/render.js';
import { parseEmailAddress, parsePhoneNumber } from '../../src/core/address.js';
import { parseJson } from '../../src/http/body.js';
import { limits } from '../../src/graphql/limits.js';
import { toSlug } from '../../src/notices/notice-text.rules.js';
import { checkRule, describeSchedule, listOccurrences } from '../../src/notices/recurrence/recurrence.rules.js';
import { type ChatMarkup, toChatMarkup } from '../../src/notifications/channels/chat-markup.js';
import { parseQueryParameters } from '../../src/rest/request/parameters.js';
import { schema } from '../../src/schema.js';
import { readCsv } from '../../src/subscribers/subscriber-csv.js';
import { checkLimits } from './check-limits.js';
import { define, fill, KB, list, MB, type Parser } from './parser-limits.js';

const textLength = 65_500;
const markdownTexts = {
  'table, many rows': `|${fill('a|', 400)}\n|${fill('-|', 400)}\n${fill(`|${'a|'.repeat(200)}\n`, 18_000)}`,
  'table, one row': `|${fill('a|', 6_000)}\n|${fill('-|', 6_000)}\n|${fill('a|', 6_000)}`,
  'open elements': fill('<b>', 36_000),
  elements: fill('<b>a</b>', 47_900),
  emphasis: fill('*a* _b_ **c** ', 20_900),
  links: fill('[a](https://a.example) ', textLength),
  'reference links': `${fill('[a]: b\n', 30_000)}${fill('[a]', 35_000)}`,
  images: fill('![a](b)', textLength),
  brackets: fill('[a](b', textLength),
  addresses: fill('www.a.b ', textLength),
  'e-mail addresses': fill('a@a.example ', textLength),
  lists: fill('- a\n', textLength),
  'nested quotes': fill('> > > > - a\n', textLength),
  'table, cells left out': `${'|a'.repeat(70)}\n${'|-'.repeat(70)}\n${'a\n'.repeat(98)}`,
  'many nested quotes': fill(`${'>'.repeat(16)}a\n\n`, textLength),
  headings: fill('# a\n', textLength),
  blanks: `a${fill(' ', textLength - 10)}b`,
  backticks: list(355, index => '`'.repeat(index)).join(' '),
};
const markdown = Object.fromEntries(
  Object.entries(markdownTexts).map(([name, text]) => [name, (attempt: number) => `${text}\n${attempt}`]),
);
const markdownBound = {
  bound: '65,535 characters; 5,000 lines, 6,000 quotes and items, 7,000 cells and 12,000 marks, then text',
  enforced: ['content/markdown/parser.ts', 'maxMarks'],
  beyond: () => fill('*a* ', MB),
  isCut: true,
} as const;

const markup: ChatMarkup = {
  escapeText: text => text,
  formatLink: (_url, text) => text,
  formatCode: text => text,
  bold: '*',
  italic: '_',
  struck: '~',
};

const columns = 'email,first_name,last_name,nickname,company,tag_list,component_ids,kinds,status,optin time';
const csv = (header: string, row: (index: number) => string, count: number) =>
  `${header}\n${list(count, row).join('\n')}`;

const schedule = (rule: string) => ({ rule, timezoneName: 'Berlin', beginsAt: new Date('2026-01-01T02:30:00Z') });
const monthDays = list(31, index => index + 1).join();
const months = list(12, index => index + 1).join();
const everyDay = 'MO,TU,WE,TH,FR,SA,SU';

interface Operation {
  query: string;
  variables?: Record<string, unknown>;
}

function readOperation({ query, variables = {} }: Operation): void {
  const document = parse(query, { maxTokens: limits.tokens });
  const [error] = validate(schema, document);
  if (error) throw error;
  checkLimits(schema, document, document.definitions[0] as OperationDefinitionNode, variables);
}

export const textParsers: readonly Parser<unknown>[] = [
  define<string>({ input: 'Markdown, as HTML', ...markdownBound, read: text => renderMarkdown(text), worst: markdown }),
  define<string>({ input: 'Markdown, as text', ...markdownBound, read: toPlainText, worst: markdown }),
  define<string>({
    input: 'Markdown, for chats',
    ...markdownBound,
    read: text => toChatMarkup(text, 3_500, markup),
    worst: markdown,
  }),
  define<string>({
    input: 'a JSON body of /graphql',
    bound: '1 MB, of who may publish 14 MB; 20,000 values, 1 MB outside strings',
    enforced: ['http/body.ts', 'maxJsonValues'],
    read: text => parseJson(text),
    worst: {
      lists: () => `[${'[],'.repeat(9_990)}[]]`,
      'lists in lists': () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      members: () => `{${list(20_000, index => `"${index}":1`).join()}}`,
      'a long text': () => `"${fill('a', 14 * MB)}"`,
      'quotation marks': () => `"${fill('\\"', 2 * MB - 100)}"`,
      backslashes: () => `"${fill('\\\\', 14 * MB)}"`,
      blanks: () => `${fill(' ', MB - 10)}1`,
      'a long number': () => fill('1', MB),
    },
    beyond: () => `[${fill('[],', MB)}[]]`,
  }),
  define<string>({
    input: 'a JSON body of /v1',
    bound: '1 MB; 200,000 values',
    enforced: ['rest/request/body-parameters.ts', 'MAX_VALUES'],
    read: text => parseJson(text, { maxValues: 200_000 }),
    worst: {
      lists: () => `[${'[],'.repeat(99_990)}[]]`,
      'lists in lists': () => `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      members: () => `{${list(90_000, index => `"${index}":1`).join()}}`,
    },
    beyond: () => `[${fill('[],', MB)}[]]`,
  }),
  define<Operation>({
    input: 'a GraphQL document and its variables',
    bound: '100 kB and 2,000 tokens; 20,000 values',
    enforced: ['graphql/limits.ts', 'tokens'],
    read: readOperation,
    worst: {
      'equal fields': () => ({ query: `{ page(id: "x") { ${'id '.repeat(999)} } }` }),
      'fields in conflict': () => ({
        query: `{ page(id: "x") { ${list(600, i => `a: ${i % 2 ? 'id' : 'name'} `).join('')} } }`,
      }),
      'unknown fields': () => ({ query: `{ ${list(1_900, index => `pages${index} `).join('')} }` }),
      fragments: () => ({
        query: `{ page(id: "x") { ${list(150, index => `...F${index} `).join('')} } }
          ${list(150, index => `fragment F${index} on Page { id }`).join(' ')}`,
      }),
      'a block string': () => ({ query: `{ page(id: """${fill('\n ', 99 * KB)}""") { id } }` }),
      'unknown members': () => ({
        query: 'query($f: NoticeFilter) { page(id: "x") { notices(filter: $f) { nodes { id } } } }',
        variables: { f: Object.fromEntries(list(20_000, index => [`k${index}`, 1])) },
      }),
    },
    beyond: () => ({ query: `{ page(id: "x") { ${'id '.repeat(2_000)} } }` }),
  }),
  define<string>({
    input: 'a query string or a form',
    bound: '1 MB; 1,000 parameters, brackets 5 deep',
    enforced: ['rest/request/parameters.ts', 'MAX_PARAMETERS'],
    read: parseQueryParameters,
    worst: {
      brackets: () => list(1_000, index => `a[b][c][d][e][${index}]=x`).join('&'),
      'long names': () => list(1_000, index => `${'a'.repeat(1_000)}${index}[b]=x`).join('&'),
      'empty parameters': () => fill('&', MB),
      'percent encoding': () => `a=${fill('%C3%A9', MB)}`,
    },
    beyond: () => fill('a=1&', MB),
  }),
  define<string>({
    input: 'an e-mail address',
    bound: '1,000 characters; normalized with up to 30 marks in a row',
    enforced: ['core/address.ts', 'maxInputLength'],
    read: parseEmailAddress,
    worst: {
      marks: () => `${fill(`a${'\u0315\u0300'.repeat(15)}`, 980)}@a.example`,
      'a long domain': () => `a@${fill('a.', 990)}`,
    },
    beyond: () => `${fill('\u0315\u0300', MB / 2)}@a.example`,
  }),
  define<string>({
    input: 'a phone number',
    bound: '1,000 characters',
    enforced: ['core/address.ts', 'maxInputLength'],
    read: parsePhoneNumber,
    worst: { dashes: () => fill('- ', 1_000), digits: () => `+${fill('1', 990)}` },
    beyond: () => `+49 30 123456${fill(' ', MB)}`,
  }),
  define<string>({
    input: 'the subject of a notice, as a part of its link',
    bound: '510 characters; normalized with up to 30 marks in a row',
    enforced: ['notices/notice-text.rules.ts', 'maxSlugInput'],
    read: toSlug,
    worst: { marks: () => fill(`a${'\u0315\u0300'.repeat(15)}`, MB / 2) },
    beyond: () => fill('\u0315\u0300', MB / 2),
    isCut: true,
  }),
  define<string>({
    input: 'a list of subscribers in CSV',
    bound: '1 MB; 10,000 rows of 65,536 characters, 1,000 columns, 500,000 cells that rows leave out',
    enforced: ['subscribers/lists/read-list.ts', 'maxColumns'],
    read: readCsv,
    worst: {
      rows: () => csv(columns, i => `person.${i}@example.com,A,B,C,D,"x,y",,,"unsubscribed ${i}",2026-01-01`, 9_999),
      'columns of states': () =>
        csv(`email,${list(45, index => `status${index}`).join()}`, () => `a@b.c${',x'.repeat(45)}`, 9_900),
      'a wide header': () => csv(`email,${list(999, index => `c${index}`).join()}`, () => 'a@b.c', 1),
      'rows of other lengths': () => csv('email,a,b', () => 'a@b.c', 9_999),
      'padded cells': () => csv('email,a', () => 'a, "b"', 9_999),
      'cells left out': () => csv(`email,${list(499, index => `unsub${index}`).join()}`, () => 'a@b.c', 1_000),
      'a cell of marks': () => `email,status\na@b.c,${fill('\u0315\u0300', 60_000)}`,
    },
    beyond: () => `email,${fill('a,', MB - 10)}`,
  }),
  define<string>({
    input: 'the rule of a recurring maintenance',
    bound: '366 occurrences, 3,000 iterations',
    enforced: ['notices/recurrence/recurrence.rules.ts', 'maxIterations'],
    read: rule => {
      const problem = checkRule(schedule(rule));
      if (problem) throw new Error(problem.requirement);
      return [listOccurrences(schedule(rule), new Date('2026-11-01T00:00:00Z'), 3), describeSchedule(schedule(rule))];
    },
    worst: {
      'each day by all parts': () => `FREQ=DAILY;BYMONTHDAY=${monthDays};BYDAY=${everyDay};BYMONTH=${months};COUNT=366`,
      'each day of the year': () => `FREQ=YEARLY;BYMONTH=${months};BYMONTHDAY=${monthDays};COUNT=366`,
      'leap days': () => 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29',
      'never, by day': () => 'FREQ=DAILY;BYSETPOS=2',
      'never, by week': () => `FREQ=WEEKLY;BYDAY=${everyDay};BYMONTH=2;BYSETPOS=31`,
      'never, by month': () => `FREQ=MONTHLY;BYMONTHDAY=${monthDays};BYDAY=${everyDay};BYSETPOS=-31`,
    },
    beyond: () => 'FREQ=DAILY;COUNT=367',
  }),
];
