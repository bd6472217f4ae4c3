import { createContext, use } from 'react';
import type { Channel, Role, SessionQuery } from './documents.ts';

type Viewer = NonNullable<SessionQuery['viewer']>;
export type ChannelDescription = NonNullable<SessionQuery['channels']>[number];
export type SessionPage = NonNullable<Viewer['pages']>['nodes'][number];

const roles: Role[] = ['VIEWER', 'DRAFTER', 'PUBLISHER', 'OWNER'];
const rank = (role: Role | null | undefined): number => (role ? roles.indexOf(role) : -1);

/** The person who is signed in, and what they may do. */
export class Session {
  readonly email: string;
  readonly pages: SessionPage[];

  constructor(
    private readonly viewer: Viewer,
    /** All that the service has, in the order in which they are shown. */
    readonly channels: ChannelDescription[],
  ) {
    this.email = viewer.person?.email ?? '';
    this.pages = viewer.pages?.nodes ?? [];
  }

  /** Whether the person has a role, or a higher one: on a page, or on all pages where none is named. */
  has(role: Role, pageId?: string): boolean {
    const own = this.viewer.roles.find(held => held.pageId === pageId)?.role;
    return Math.max(rank(this.viewer.role), pageId ? rank(own) : -1) >= rank(role);
  }

  describeChannel(channel: Channel): ChannelDescription {
    return this.channels.find(each => each.channel === channel)!;
  }

  /** The pages on which the person has a role. */
  pagesWith(role: Role): SessionPage[] {
    return this.pages.filter(({ id }) => this.has(role, id));
  }
}

export const SessionContext = createContext<Session | null>(null);

export const useSession = (): Session => use(SessionContext)!;
