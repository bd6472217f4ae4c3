import { describe, expect, test } from '@jest/globals';
import { invalidBody } from '../../support/record-rules.js';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

const list = async (page: string, query = '') =>
  (await service.get(`${page}/components?${query}`)).json.response as { name: string }[];
const namesIn = (records: { name: string }[]) => records.map(({ name }) => name);

describe('creating a component', () => {
  test.each([
    ['no name', {}, { name: ["can't be blank"] }],
    ['a blank name', { name: ' ' }, { name: ["can't be blank"] }],
    ['a long name', { name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [
      'a long description',
      { name: 'a', description: 'x'.repeat(65536) },
      { description: ['is too long (maximum is 65535 characters)'] },
    ],
    ['a position that is not a number', { name: 'a', position: 'top' }, { position: ['is not a number'] }],
    ['a fractional position', { name: 'a', position: 1.5 }, { position: ['must be an integer'] }],
    ['a position beyond 32 bits', { name: 'a', position: 2147483648 }, { position: ['is invalid'] }],
    ['an unknown parent', { name: 'a', parent_id: 2147483647 }, { parent_id: ['is invalid'] }],
    ['a parent id out of range', { name: 'a', parent_id: '99999999999999999999' }, { parent_id: ['is invalid'] }],
    ['a parent id that is not a number', { name: 'a', parent_id: 'root' }, { parent_id: ['is invalid'] }],
    ['a list of parents', { name: 'a', parent_id: [1] }, { parent_id: ['is invalid'] }],
  ])('refuses %s under its field', async (_, fields, messages) => {
    const { status, json } = await service.post(`${(await createPage(service)).path}/components`, fields);
    expect([status, json]).toEqual([422, invalidBody(messages as unknown as Record<string, string[]>)]);
  });
});

test('a page has at most 5,000 components', async () => {
  const { id, path } = await createPage(service);
  await service.database.query(
    `insert into component (page_id, name, position, created_at, updated_at)
     select $1, 'A component', number, now(), now() from generate_series(1, 4999) number`,
    [id],
  );
  await createComponent(service, path);
  const { status, json } = await service.post(`${path}/components`, { name: 'One more' });
  expect([status, json.error_description]).toEqual([409, 'A page has at most 5,000 components.']);
});

describe('updating a component', () => {
  test('keeps omitted fields, and clears null and blank ones', async () => {
    const { path: page } = await createPage(service);
    const parent = await createComponent(service, page);
    const { id } = await createComponent(service, page, { description: 'Text', position: 4, parent_id: parent.id });
    const path = `${page}/components/${id}`;
    expect((await service.patch(path, { name: 'New' })).json.response).toMatchObject({
      name: 'New',
      description: 'Text',
      position: 4,
      parent_id: parent.id,
    });
    expect((await service.patch(path, { description: '', parent_id: '' })).json.response).toMatchObject({
      description: null,
      position: 4,
      parent_id: null,
    });
    expect((await service.patch(path, { position: null })).json.response.position).toBe(2);
    expect((await service.patch(path, { name: null })).json).toEqual(invalidBody({ name: ["can't be blank"] }));
  });
});

describe('positions', () => {
  test('continue after the last sibling, without moving others', async () => {
    const { path: page } = await createPage(service);
    const parent = await createComponent(service, page);
    expect((await createComponent(service, page)).position).toBe(2);
    expect((await createComponent(service, page, { parent_id: parent.id })).position).toBe(1);
    expect((await createComponent(service, page, { parent_id: parent.id, position: 8 })).position).toBe(8);
    expect((await createComponent(service, page, { parent_id: parent.id })).position).toBe(9);
    expect((await createComponent(service, page)).position).toBe(3);
    expect(((await list(page)) as unknown as { position: number }[]).map(({ position }) => position)).toEqual([
      1, 1, 2, 3, 8, 9,
    ]);
  });

  test('start at 1 and end at the largest 32-bit integer', async () => {
    const { path: page } = await createPage(service);
    await createComponent(service, page, { position: -5 });
    expect((await createComponent(service, page)).position).toBe(1);
    await createComponent(service, page, { position: 2147483647 });
    expect((await createComponent(service, page)).position).toBe(2147483647);
  });

  test('order the list, with equal positions by id', async () => {
    const { path: page } = await createPage(service);
    for (const [name, position] of Object.entries({ third: 5, first: 1, fourth: 5, second: 3 }))
      await createComponent(service, page, { name, position });
    expect(namesIn(await list(page))).toEqual(['first', 'second', 'third', 'fourth']);
  });
});
