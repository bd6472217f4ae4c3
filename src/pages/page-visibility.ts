import { registerEnum } from '../graphql/enum.js';

export type PageVisibility = 'public' | 'unlisted' | 'password' | 'email_domain' | 'members';

/** The visibilities with which everybody who has the address sees a page. */
const openVisibilities: readonly PageVisibility[] = ['public', 'unlisted'];

/** Whether visitors have to prove that they may see the page. */
export const isPrivateVisibility = (visibility: PageVisibility): boolean => !openVisibilities.includes(visibility);
export const isPrivatePageSql = (visibility: string): string =>
  `${visibility} not in (${openVisibilities.map(name => `'${name}'`).join(', ')})`;

export const PageVisibilities = registerEnum(
  'PageVisibility',
  {
    public: 'Everybody, also by search engines.',
    unlisted: 'Everybody who has the address. Search engines are asked to leave it out, and no list has it.',
    password: 'Visitors who know the password.',
    email_domain: 'Visitors who enter a code that was sent to an address of one of the domains.',
    members: 'People with a role on the page.',
  } satisfies Record<PageVisibility, string>,
  'Who sees the public page, and everything that it serves.',
);
