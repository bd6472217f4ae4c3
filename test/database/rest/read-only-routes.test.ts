import { describe, expect, test } from '@jest/globals';
import { expectSameNotFound } from '../../support/record-rules.js';
import { useService } from '../../support/service.js';

const service = useService();

interface TimeZone {
  name: string;
  offset: string;
}

const list = async (query = ''): Promise<TimeZone[]> => (await service.get(`/v1/timezones?${query}`)).json.response;
const listNames = async (query: string) => (await list(query)).map(({ name }) => name);
const readZone = (id: string) => service.get(`/v1/timezones/${encodeURIComponent(id)}`);

const offsetMinutes = ({ offset }: TimeZone) => {
  const [, sign, hours, minutes] = /^\(GMT([+-])(\d\d):(\d\d)\) /.exec(offset)!;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

describe('the greeting', () => {
  test('answers with a text that starts with Hello', async () => {
    const response = await service.get('/v1/hello');
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ response: expect.stringMatching(/^Hello/) });
  });
});

describe('the list of time zones', () => {
  test('has 149 unique names and a count', async () => {
    const { status, json } = await service.get('/v1/timezones');
    expect([status, Object.keys(json), json.count, json.response.length]).toEqual([
      200,
      ['response', 'count'],
      149,
      149,
    ]);
    expect(new Set(json.response.map(({ name }: TimeZone) => name)).size).toBe(149);
    expect(Object.keys(json.response[0])).toEqual(['name', 'offset']);
  });

  test('is ordered by offset, then by name', async () => {
    const zones = await list();
    const sorted = zones.toSorted(
      (one, other) => offsetMinutes(one) - offsetMinutes(other) || (one.name < other.name ? -1 : 1),
    );
    expect(zones).toEqual(sorted);
    expect([zones[0]!.name, zones.at(-1)!.name]).toEqual(['International Date Line West', 'Tokelau Is.']);
  });

  test.each([
    ['International Date Line West', '-12:00'],
    ['Newfoundland', '-03:30'],
    ['London', '+00:00'],
    ['UTC', '+00:00'],
    ['Berlin', '+01:00'],
    ['Kathmandu', '+05:45'],
    ['Adelaide', '+09:30'],
    ['Sydney', '+10:00'],
    ['Chatham Is.', '+12:45'],
  ])('%s has the offset %s, without summer time in either hemisphere', async (name, offset) => {
    expect((await list()).find(zone => zone.name === name)).toEqual({ name, offset: `(GMT${offset}) ${name}` });
  });

  test('is paginated on request', async () => {
    const all = await listNames('');
    const { json } = await service.get('/v1/timezones?page=2&per_page=100');
    expect(json.response.map(({ name }: TimeZone) => name)).toEqual(all.slice(100));
    expect([json.count, json.pagination]).toEqual([
      49,
      { current: 2, previous: 1, next: null, per_page: 100, pages: 2, count: 149 },
    ]);
    expect(await listNames('page=1')).toEqual(all.slice(0, 25));
    expect((await service.get('/v1/timezones?page=9&per_page=0')).json.pagination).toMatchObject({
      current: 9,
      per_page: 25,
      next: null,
      count: 149,
    });
  });
});

describe('a time zone', () => {
  test.each(['London', 'Pacific Time (US & Canada)', "Nuku'alofa", 'St. Petersburg'])(
    '%s is found by its name',
    async name => {
      const { status, json } = await readZone(name);
      expect([status, json.response.name]).toEqual([200, name]);
    },
  );

  test.each([
    ['Europe/London', 'London'],
    ['Europe/Moscow', 'Moscow'],
    ['Asia/Kolkata', 'Kolkata'],
    ['Asia/Tokyo', 'Tokyo'],
    ['Asia/Muscat', 'Muscat'],
    ['America/Mexico_City', 'Mexico City'],
    ['America/Los_Angeles', 'Pacific Time (US & Canada)'],
    ['Etc/UTC', 'UTC'],
  ])('%s is found by its tz database identifier as %s', async (id, name) => {
    const { status, json } = await readZone(id);
    expect([status, json.response]).toEqual([200, (await list()).find(zone => zone.name === name)]);
  });

  test('that is not in the list answers 404', async () => {
    expectSameNotFound(
      'time zone',
      await Promise.all(['Atlantis', 'london', 'Europe/Atlantis', '0', '\0'].map(readZone)),
    );
  });
});

test('the list is read-only', async () => {
  expect((await service.post('/v1/timezones', { name: 'Atlantis' })).status).toBe(405);
  expect((await service.delete('/v1/timezones/London')).status).toBe(405);
});
