import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal } from '../../support/invalid-input.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
const at: Record<string, string> = {};
beforeAll(async () => {
  service = await startTestService();
  const made = async (path: string, values: object) => (await service.post(path, values)).headers.get('location')!;
  at.page = await made('/v1/pages', { name: 'All' });
  at.component = await made(`${at.page}/components`, { name: 'One' });
  at.notice = await made(`${at.page}/notices`, { subject: 'It' });
  at.update = await made(`${at.notice}/updates`, { content: 'More' });
  at.template = await made(`${at.page}/notice_templates`, { name: 'Again' });
  at.subscriber = await made(`${at.page}/subscribers`, { email: 'x@example.com' });
});
afterAll(() => service.stop());

const lists = [
  '/v1/pages',
  ...['components', 'notices', 'notice_templates', 'subscribers', 'NOTICE/updates'].map(name => `PAGE/${name}`),
];
const listAt = (path: string) => path.replace('PAGE/NOTICE', at.notice!).replace('PAGE', at.page!);

describe.each([...lists, '/v1/timezones'])('a list: %s', path => {
  const attribute = path === '/v1/timezones' ? 'offset_minutes' : 'created_at';

  test.each([
    'filter[nonsense_eq]=1',
    'filter[created_at]=1',
    'filter[__proto__x]=1',
    'filter[__proto__]=1',
    'filter[__proto__][a]=1',
    'filter[constructor]=1',
    'filter[toString][a]=1',
    `filter${'[a]'.repeat(1000)}=1`,
    'filter=x',
    'filter[]=x',
    'include=nonsense',
    'include=__proto__',
    'include[a]=b',
    'filter[x]=%zz',
    'filter[x]=%ff',
    'page=%ed%a0%80',
    '%00%ff=1',
    'a[1000]=1',
    'a&'.repeat(1001),
  ])('is refused for %s', async query => {
    expectRefusal(await service.get(`${listAt(path)}?${query}`), 400);
  });

  test.each(['x', '%00', '9223372036854775808', '-9223372036854775809', '1.5', '9'.repeat(400), '[a]=1'])(
    'is refused for a filter of the wrong kind: %s',
    async value => {
      for (const operator of ['eq', 'not_eq', 'gt', 'lteq', 'in', 'not_in']) {
        const key = `${attribute}_${operator}`;
        const answer = await service.get(
          `${listAt(path)}?filter[${key}]${value.startsWith('[') ? value : `=${value}`}`,
        );
        expectRefusal(answer, 400);
        expect(answer.json.error_description).toContain(key);
      }
    },
  );
});

describe('an id', () => {
  const names = ['component', 'notice', 'update', 'template', 'subscriber'];

  test.each([
    '2147483648',
    '9223372036854775808',
    '9'.repeat(400),
    '-1',
    'x',
    '__proto__',
    'constructor',
    '%00',
    "'",
    '%27%20or%201=1--',
    '%f0%9f%92%a1',
    '..',
  ])('that no record can have is not found: %s', async id => {
    for (const name of names) {
      const path = at[name]!.replace(
        /[^/]+$/,
        encodeURIComponent(decodeURIComponent(id)).replace(/^\.\.$/, '%2e%2e%2e'),
      );
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expectRefusal(await service.call(method, path, method === 'PATCH' ? { json: {} } : {}), 404);
    }
  });

  test.each(['%ff', '%zz', '%', '%ed%a0%80'])('that is no UTF-8 is refused: %s', async id => {
    for (const name of names) expectRefusal(await service.get(at[name]!.replace(/[^/]+$/, id)), 400);
  });
});
