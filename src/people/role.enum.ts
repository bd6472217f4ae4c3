import type { Role } from '../auth/roles.js';
import { registerEnum } from '../graphql/enum.js';

export const Roles = registerEnum(
  'Role',
  {
    viewer: 'Reads everything of the page but subscribers, deliveries and the settings of channels.',
    drafter: 'And previews what a change would publish; neither writes nor notifies.',
    publisher: 'And writes notices, updates, templates and subscribers, changes components, and resends deliveries.',
    owner:
      'And changes settings, brand, theme, domain, channels, people and tokens, reads the audit log, creates and ' +
      'deletes components, and deletes the page. With the role on all pages: creates pages.',
  } satisfies Record<Role, string>,
  'What somebody may do on a page, or on all pages. Each role may do what those before it may.',
);
