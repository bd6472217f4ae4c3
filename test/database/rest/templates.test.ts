import { describe, expect, test } from '@jest/globals';
import { anyTimestamp, invalidBody } from '../../support/record-rules.js';
import { createComponent, createPage, createTemplate } from '../../support/factories.js';
import { freshTemplate } from '../../support/record-samples.js';
import { useService } from '../../support/service.js';

const service = useService();

const templatePath = (page: string, { id }: { id: string }) => `${page}/notice_templates/${id}`;
const list = async (page: string, query = '') => (await service.get(`${page}/notice_templates?${query}`)).json;

describe('creating a template', () => {
  test('is readable with a hyphen in its path, too', async () => {
    const { path } = await createTemplate(service, (await createPage(service)).path);
    expect((await service.get(path.replace('_templates', '-templates'))).text).toBe((await service.get(path)).text);
  });

  test('accepts content for initial_comment, which takes precedence unless it is blank', async () => {
    const { path: page } = await createPage(service);
    expect(await createTemplate(service, page, { content: 'Older' })).toEqual({
      ...freshTemplate,
      initial_comment: 'Older',
    });
    expect((await createTemplate(service, page, { content: 'Older', initial_comment: 'Newer' })).initial_comment).toBe(
      'Newer',
    );
    expect((await createTemplate(service, page, { content: 'Older', initial_comment: '' })).initial_comment).toBe(
      'Older',
    );
    expect((await createTemplate(service, page, { content: '', initial_comment: 'Newer' })).initial_comment).toBe(
      'Newer',
    );
  });

  test('uses content if initial_comment is unchanged, and ignores a blank content', async () => {
    const { path: page } = await createPage(service);
    const record = await createTemplate(service, page, { initial_comment: 'Before' });
    const patchComment = async (values: object) =>
      (await service.patch(templatePath(page, record), { ...record, ...values })).json.response.initial_comment;
    expect(await patchComment({ content: '' })).toBe('Before');
    expect(await patchComment({ content: 'After' })).toBe('After');
  });

  test.each([
    ['no name', {}, { name: ["can't be blank"] }],
    ['a blank name', { name: '' }, { name: ["can't be blank"] }],
    ['a long name', { name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [
      'a long subject',
      { name: 'a', subject: 'x'.repeat(256) },
      { subject: ['is too long (maximum is 255 characters)'] },
    ],
    [
      'a long comment',
      { name: 'a', initial_comment: 'x'.repeat(65536) },
      { initial_comment: ['is too long (maximum is 65535 characters)'] },
    ],
    ['an unknown component', { name: 'a', component_id: 2147483647 }, { component_id: ['is invalid'] }],
    ['an invalid component id', { name: 'a', component_id: 'api' }, { component_id: ['is invalid'] }],
    ['two components', { name: 'a', component_id: ['1', '2'] }, { component_id: ['is invalid'] }],
  ])('refuses %s under its field', async (_, fields, messages) => {
    const { status, json } = await service.post(`${(await createPage(service)).path}/notice_templates`, fields);
    expect([status, json]).toEqual([422, invalidBody(messages as unknown as Record<string, string[]>)]);
  });

  test('refuses a component of another page', async () => {
    const page = (await createPage(service)).path;
    const foreign = (await createComponent(service, (await createPage(service)).path)).id;
    const refusal = invalidBody({ component_id: ['is invalid'] });
    expect((await service.post(`${page}/notice_templates`, { name: 'a', component_id: foreign })).json).toEqual(
      refusal,
    );
    expect(
      (await service.patch(templatePath(page, await createTemplate(service, page)), { component_id: foreign })).json,
    ).toEqual(refusal);
  });
});

describe('updating a template', () => {
  test('keeps omitted fields, and clears null and blank ones', async () => {
    const { path: page } = await createPage(service);
    const { id: component } = await createComponent(service, page);
    const template = await createTemplate(service, page, {
      subject: 'Down',
      initial_comment: 'Looking',
      component_id: component,
    });
    const patchTemplate = async (fields: object) =>
      (await service.patch(templatePath(page, template), fields)).json.response;
    expect(await patchTemplate({ name: 'Renamed' })).toEqual({
      ...template,
      name: 'Renamed',
      updated_at: anyTimestamp,
    });
    expect(await patchTemplate({ subject: '', initial_comment: null })).toMatchObject({
      subject: null,
      initial_comment: null,
      component_id: String(component),
    });
    expect(await patchTemplate({ component_id: '' })).not.toHaveProperty('component_id');
    expect(await patchTemplate({ component_id: component })).toHaveProperty('component_id', String(component));
    expect(await patchTemplate({ component_id: null })).not.toHaveProperty('component_id');
    expect((await service.patch(templatePath(page, template), { name: ' ' })).json).toEqual(
      invalidBody({ name: ["can't be blank"] }),
    );
  });
});

describe('the list of templates', () => {
  test('is always paginated by 25, in the order of creation', async () => {
    const { path: page } = await createPage(service);
    expect(await list(page)).toEqual({
      response: [],
      count: 0,
      pagination: { current: 1, previous: null, next: null, per_page: 25, pages: 0, count: 0 },
    });
    const names = Array.from({ length: 26 }, (_, index) => `Template ${index}`);
    for (const name of names) await createTemplate(service, page, { name });
    const first = await list(page);
    expect([Object.keys(first), first.count]).toEqual([['response', 'count', 'pagination'], 25]);
    expect(first.pagination).toEqual({ current: 1, previous: null, next: 2, per_page: 25, pages: 2, count: 26 });
    expect(first.response.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 25));
    const second = await list(page, 'page=2');
    expect([second.response[0].name, second.count]).toEqual(['Template 25', 1]);
    expect(second.pagination).toEqual({ current: 2, previous: 1, next: null, per_page: 25, pages: 2, count: 26 });
    expect(await list(page, 'page=3')).toMatchObject({
      response: [],
      count: 0,
      pagination: { current: 3, previous: 2, next: null, pages: 2, count: 26 },
    });
    expect((await list(page, 'per_page=10&page=2')).pagination).toEqual({
      current: 2,
      previous: 1,
      next: 3,
      per_page: 10,
      pages: 3,
      count: 26,
    });
    expect((await list(page, 'per_page=nought&page=-1')).pagination).toMatchObject({ current: 1, per_page: 25 });
    expect((await list(page, 'per_page=501')).pagination).toMatchObject({ per_page: 500, pages: 1 });
  });
});
