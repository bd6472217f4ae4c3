import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal } from '../../support/invalid-input.js';
import {
  createComponent,
  createNotice,
  createPage,
  createSubscriber,
  createTemplate,
  createUpdate,
} from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
const paths: Record<string, string> = {};
beforeAll(async () => {
  paths.page = (await createPage(service, { name: 'All' })).path;
  paths.component = (await createComponent(service, paths.page, { name: 'One' })).path;
  paths.notice = (await createNotice(service, paths.page, { subject: 'It' })).path;
  paths.update = (await createUpdate(service, paths.notice, { content: 'More' })).path;
  paths.template = (await createTemplate(service, paths.page, { name: 'Again' })).path;
  paths.subscriber = (await createSubscriber(service, paths.page, { email: 'x@example.com' })).path;
});

const lists = [
  '/v1/pages',
  ...['components', 'notices', 'notice_templates', 'subscribers', 'NOTICE/updates'].map(name => `PAGE/${name}`),
];
const listPath = (path: string) => path.replace('PAGE/NOTICE', paths.notice!).replace('PAGE', paths.page!);

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
    expectRefusal(await service.get(`${listPath(path)}?${query}`), 400);
  });

  test.each(['x', '%00', '9223372036854775808', '-9223372036854775809', '1.5', '9'.repeat(400), '[a]=1'])(
    'is refused for a filter value of the wrong type: %s',
    async value => {
      for (const operator of ['eq', 'not_eq', 'gt', 'lteq', 'in', 'not_in']) {
        const key = `${attribute}_${operator}`;
        const response = await service.get(
          `${listPath(path)}?filter[${key}]${value.startsWith('[') ? value : `=${value}`}`,
        );
        expectRefusal(response, 400);
        expect(response.json.error_description).toContain(key);
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
  ])('that no record can have answers 404: %s', async id => {
    for (const name of names) {
      const path = paths[name]!.replace(
        /[^/]+$/,
        encodeURIComponent(decodeURIComponent(id)).replace(/^\.\.$/, '%2e%2e%2e'),
      );
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expectRefusal(await service.call(method, path, method === 'PATCH' ? { json: {} } : {}), 404);
    }
  });

  test.each(['%ff', '%zz', '%', '%ed%a0%80'])('with invalid UTF-8 answers 400: %s', async id => {
    for (const name of names) expectRefusal(await service.get(paths[name]!.replace(/[^/]+$/, id)), 400);
  });
});
