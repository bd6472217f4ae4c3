import { z } from 'zod';
import { roles } from '../../auth/roles.js';
import { parsePersonAddress } from '../../people/person-address.js';
import { flag, type Kind, pageId, parsed, time } from './kind.js';
import { deadlineMakerSql } from './notice-kinds.js';

const address = parsed(parsePersonAddress);

/** SQL: the roles `m` on the pages `$1`, and in an archive of all pages those on all pages. */
const ofPages = (role: string, isWhole: boolean) =>
  `(${role}.page_id = any($1)${isWhole ? ` or ${role}.page_id is null` : ''})`;

export const peopleKinds: Record<string, Kind> = {
  people: {
    table: 'person',
    description: 'People who have a role, take care of a notice or set a deadline, by address.',
    fields: { email: address, created_at: time },
    order: 'lower(k.email) collate "C"',
    where: isWhole => `k.disabled_at is null and k.id in (
      select m.person_id from membership m where ${ofPages('m', isWhole)}
      union select n.owner_id from notice n where n.page_id = any($1)
      union select maker.id from next_update_deadline k cross join lateral (${deadlineMakerSql}) maker
        where k.page_id = any($1))`,
    mayExist: true,
  },
};

export const membershipKinds: Record<string, Kind> = {
  memberships: {
    table: 'membership',
    description: 'The roles of these people. Without a page: on all pages.',
    fields: {
      email: {
        schema: address,
        column: 'person_id',
        read: '(select p.email from person p where p.id = k.person_id)',
        write: `(select p.id from person p where lower(p.email) = lower(r.record ->> 'email'))`,
      },
      page_id: pageId.nullable(),
      role: z.enum(roles),
      is_mapped: flag,
    },
    order: `k.page_id, (select lower(p.email) from person p where p.id = k.person_id) collate "C", k.is_mapped`,
    references: { page_id: 'pages' },
    where: isWhole => `exists (select from person p where p.id = k.person_id and p.disabled_at is null)
      and ${ofPages('k', isWhole)}`,
    mayExist: true,
  },
};
