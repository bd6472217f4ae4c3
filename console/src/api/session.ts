import { createContext, use } from 'react';
import type { Role, SessionQuery } from './documents.ts';

type Viewer = NonNullable<SessionQuery['viewer']>;
export type SessionPage = NonNullable<Viewer['pages']>['nodes'][number];

const roles: Role[] = ['VIEWER', 'DRAFTER', 'PUBLISHER', 'OWNER'];
const rank = (role: Role | null | undefined): number => (role ? roles.indexOf(role) : -1);

/** The person who is signed in, and what they may do. */
export class Session {
  readonly email: string;
  readonly pages: SessionPage[];

  constructor(private readonly viewer: Viewer) {
    this.email = viewer.person?.email ?? '';
    this.pages = viewer.pages?.nodes ?? [];
  }

  /** Whether the person has a role, or a higher one: on a page, or on all pages where none is named. */
  has(role: Role, pageId?: string): boolean {
    const own = this.viewer.roles.find(held => held.pageId === pageId)?.role;
    return Math.max(rank(this.viewer.role), pageId ? rank(own) : -1) >= rank(role);
  }

  /** The pages on which the person has a role. */
  pagesWith(role: Role): SessionPage[] {
    return this.pages.filter(({ id }) => this.has(role, id));
  }
}

export const SessionContext = createContext<Session | null>(null);

export const useSession = (): Session => use(SessionContext)!;
