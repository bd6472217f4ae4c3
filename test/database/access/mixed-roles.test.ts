import { beforeAll, expect, test } from '@jest/globals';
import { type AccessRecords, createAccessRecords } from '../../support/access-records.js';
import { askAs, codeOf, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

/**
 * The fields that lead to pages from a record that belongs to none, such as a person: what is selected below is read of
 * pages on which the caller has the role for it, and not of all on which it has one.
 */
const service = useOwnService({ publicUrl: peopleOrigin });
let owned: AccessRecords;
let viewed: AccessRecords;
let mixed: SignedInPerson;
let ownerOfAll: SignedInPerson;
beforeAll(async () => {
  owned = await createAccessRecords(service, false);
  viewed = await createAccessRecords(service, false);
  mixed = await signIn(service, 'owner', [owned.page_id]);
  const { personId } = mixed;
  await service.database.query(`insert into membership (person_id, page_id, role) values ($1, $2, 'viewer')`, [
    personId,
    viewed.page_id,
  ]);
  await createToken(service.database, 'personal', { role: 'owner', pageIds: [owned.page_id], personId });
  ownerOfAll = await signIn(service);
}, 60_000);

const roots: [name: string, select: (page: string) => string][] = [
  ['viewer.person', page => `viewer { person { memberships { ${page} } } }`],
  ['viewer.roles', page => `viewer { roles { ${page} } }`],
  ['viewer.pages', page => `viewer { pages { nodes ${page.slice('page'.length)} } }`],
  ['person', page => `person(id: "${mixed.personId}") { memberships { ${page} } }`],
  ['people', page => `people(first: 100) { nodes { memberships { ${page} } } }`],
  ['tokens', page => `tokens(first: 100) { nodes { person { memberships { ${page} } } } }`],
];

const closed: [field: string, selection: string][] = [
  ['subscribers', 'subscribers { nodes { email } }'],
  ['subscribersCsv', 'subscribersCsv'],
  ['deliveries', 'deliveries { nodes { address } }'],
  ['webhooks', 'webhooks { nodes { host } }'],
  ['channels', 'channels { host }'],
  ['drafts', 'drafts { nodes { id } }'],
  ['alertGroups', 'alertGroups { nodes { id } }'],
];
/** A file costs too much below a list. */
const isAsked = (name: string, field: string) => field !== 'subscribersCsv' || name.endsWith('person');
const cases = roots.flatMap(([name, select]) =>
  closed
    .filter(([field]) => isAsked(name, field))
    .map(([field, selection]) => ({ name: `${name}: ${field}`, select, selection })),
);

/** The ids of all pages in an answer. */
const listPages = (json: unknown) => [...JSON.stringify(json).matchAll(/"pageIdOfTest":"(\w+)"/g)].map(([, id]) => id);

test.each(cases)('$name of a page that the caller only views is not read', async ({ select, selection }) => {
  const query = `{ ${select(`page { pageIdOfTest: id ${selection} }`)} }`;
  // What was compiled for a caller who may read all is not used for others.
  if (/person\(|people/.test(query)) {
    const all = await askAs(service, ownerOfAll, query);
    expect(listPages(all)).toEqual(expect.arrayContaining([owned.page_id, viewed.page_id]));
  }
  const json = await askAs(service, mixed, query);
  expect(codeOf(json)).toBeUndefined();
  expect(listPages(json)).toContain(owned.page_id);
  expect(listPages(json)).not.toContain(viewed.page_id);
});

test.each(roots)('%s: what a viewer may read is read of both pages', async (_, select) => {
  const json = await askAs(
    service,
    mixed,
    `{ ${select('page { pageIdOfTest: id noticeTemplates { nodes { id } } }')} }`,
  );
  expect(listPages(json)).toEqual(expect.arrayContaining([owned.page_id, viewed.page_id]));
});
