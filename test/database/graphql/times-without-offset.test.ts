import { beforeAll, expect, test } from '@jest/globals';
import { createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { sentencesByField } from '../../support/user-errors.js';

/** GraphQL refuses a time without an offset, and says what it could mean; /v1 reads it as UTC. */
const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { timezone: 'Berlin' })).id;
});

const ask = async (document: string) => (await service.graphql(document)).json;
const fieldsOf = async (document: string) => sentencesByField(await ask(document));
const inUtcOrBerlin = (text: string, utc: string, berlin: string, field = 'beginsAt') =>
  `\`${field}\` must have an offset: "${text}" could be ${utc} in UTC, or ${berlin} in the time zone of the page (Berlin).`;

test.each([
  ['2026-11-29 02:00', '2026-11-29T02:00:00Z', '2026-11-29T02:00:00+01:00'],
  ['2026-07-01T02:00:30.5', '2026-07-01T02:00:30.500Z', '2026-07-01T02:00:30.500+02:00'],
  ['2026-07-01', '2026-07-01T00:00:00Z', '2026-07-01T00:00:00+02:00'],
])('refuses %j with both readings', async (text, utc, berlin) => {
  const input = `subject: "Disks", beginsAt: "${text}", endsAt: "2035-01-01T00:00:00Z", shouldPublish: false`;
  expect(
    await fieldsOf(`mutation { scheduleMaintenance(pageId: "${page}", input: { ${input} }) { page { id } } }`),
  ).toEqual({
    beginsAt: inUtcOrBerlin(text, utc, berlin),
  });
});

test('names one reading where the zone of the page shows UTC at that time', async () => {
  const london = (await createPage(service, { timezone: 'London' })).id;
  const input = 'subject: "Disks", beginsAt: "2026-12-01 02:00", endsAt: "2035-01-01T00:00:00Z", shouldPublish: false';
  expect(
    await fieldsOf(`mutation { scheduleMaintenance(pageId: "${london}", input: { ${input} }) { page { id } } }`),
  ).toEqual({
    beginsAt:
      '`beginsAt` must have an offset: "2026-12-01 02:00" would be 2026-12-01T02:00:00Z in UTC and in the time zone of ' +
      'the page (London).',
  });
});

test('refuses it in every field that takes a time, at once, and in a preview', async () => {
  const times = ['beginsAt', 'endsAt', 'beganAt', 'endedAt'];
  const written = times.map(field => `${field}: "2026-01-0${times.indexOf(field) + 1} 02:00"`).join(' ');
  const expected = Object.fromEntries(times.map(field => [field, expect.stringContaining('must have an offset')]));
  for (const call of [
    `mutation { scheduleMaintenance(pageId: "${page}", input: { subject: "D", shouldPublish: false, state: COMPLETE, ${written} }) { page { id } } }`,
    `{ previewPublication(pageId: "${page}", input: { scheduleMaintenance: { subject: "D", shouldPublish: false, state: COMPLETE, ${written} } }) { text } }`,
  ])
    expect(await fieldsOf(call)).toEqual(expected);
  const { id } = await createNotice(service, `/v1/pages/${page}`, { state: 'resolved' });
  const update = `updateNotice(pageId: "${page}", id: ${id}, input: { beganAt: "2026-01-01 02:00", shouldPublish: false })`;
  expect(await fieldsOf(`mutation { ${update} { page { id } } }`)).toEqual({
    beganAt: inUtcOrBerlin('2026-01-01 02:00', '2026-01-01T02:00:00Z', '2026-01-01T02:00:00+01:00', 'beganAt'),
  });
});

test('refuses it in a filter', async () => {
  const { errors } = await ask(
    `{ notices(pageId: "${page}", filter: { createdAt: { gt: "2026-01-01 02:00" } }) { totalCount } }`,
  );
  expect(errors[0].message).toBe(
    'The filter createdAt.gt takes a time with an offset, such as 2026-01-01T02:00:00.000Z, not "2026-01-01 02:00".',
  );
});

test.each(['2026-11-29T02:00:00Z', '2026-11-29 03:00:00 +0100', '2026-11-29T03:00+01'])('takes %j', async text => {
  const { data } = await ask(
    `mutation { scheduleMaintenance(pageId: "${page}", input: { subject: "D", beginsAt: "${text}", endsAt: "2035-01-01T00:00:00Z", shouldPublish: false }) {
      notice { ... on PlannedNotice { beginsAt } } } }`,
  );
  expect(data.scheduleMaintenance.notice.beginsAt).toBe('2026-11-29T02:00:00.000Z');
});

test('/v1 reads it as UTC', async () => {
  const window = { begins_at: '2026-11-29 02:00', ends_at: '2026-11-30' };
  expect(await createNotice(service, `/v1/pages/${page}`, { type: 'planned', ...window })).toMatchObject({
    begins_at: '2026-11-29T02:00:00.000Z',
    ends_at: '2026-11-30T00:00:00.000Z',
  });
});
