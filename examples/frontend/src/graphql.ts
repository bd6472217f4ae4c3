/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The state of a page in its banner. */
export type BannerState =
  /** An incident is open, whose components are slow or fail in part. */
  | 'DEGRADED'
  /** A maintenance is underway, and no incident is open. */
  | 'MAINTENANCE'
  /** An incident with a major outage is open. */
  | 'MAJOR_OUTAGE'
  /** No incident is open, and no maintenance is underway. */
  | 'OPERATIONAL'
  /** An incident with a partial outage is open. */
  | 'PARTIAL_OUTAGE';

/** The state of a component or of a whole page. A page is never PARTIALLY_DEGRADED. */
export type ComponentState =
  /** An ongoing notice names the component. */
  | 'DEGRADED'
  /** No ongoing notice names the component, an ancestor or a descendant. */
  | 'OPERATIONAL'
  /** An ancestor or a descendant is degraded. */
  | 'PARTIALLY_DEGRADED';

/** The state of a notice. Any state of its type can follow any other. General notices have none. */
export type NoticeState =
  /** Planned, over: cancelled before or after the start. */
  | 'CANCELLED'
  /** Planned, over. */
  | 'COMPLETE'
  /** Unplanned, over: there was no incident. */
  | 'FALSE_ALARM'
  /** Unplanned, ongoing: the cause is known. */
  | 'IDENTIFIED'
  /** Unplanned, ongoing: looking for the cause. The initial state of an incident. */
  | 'INVESTIGATING'
  /** Unplanned, ongoing: the system is recovering. */
  | 'RECOVERING'
  /** Unplanned, over. */
  | 'RESOLVED'
  /** Planned, not started. The initial state of a maintenance. */
  | 'SCHEDULED'
  /** Planned, ongoing. */
  | 'UNDERWAY';

export type ReadPageQueryVariables = Exact<{
  id: string | number;
}>;


export type ReadPageQuery = { page: { name: string, url: string, banner: { state: BannerState, text: string } | null, components: { nodes: Array<{ nodeId: string, name: string, state: ComponentState, uptime: number | null }> }, notices: { nodes: Array<
        | { nodeId: string, subject: string, state: NoticeState | null, link: string, latestUpdate: { contentHtml: string, postedAt: string } | null }
        | { nodeId: string, subject: string, state: NoticeState, link: string, latestUpdate: { contentHtml: string, postedAt: string } | null }
        | { nodeId: string, subject: string, state: NoticeState, link: string, latestUpdate: { contentHtml: string, postedAt: string } | null }
      > } } | null };

type OpenNotice_GeneralNotice_Fragment = { nodeId: string, subject: string, state: NoticeState | null, link: string, latestUpdate: { contentHtml: string, postedAt: string } | null };

type OpenNotice_PlannedNotice_Fragment = { nodeId: string, subject: string, state: NoticeState, link: string, latestUpdate: { contentHtml: string, postedAt: string } | null };

type OpenNotice_UnplannedNotice_Fragment = { nodeId: string, subject: string, state: NoticeState, link: string, latestUpdate: { contentHtml: string, postedAt: string } | null };

export type OpenNoticeFragment =
  | OpenNotice_GeneralNotice_Fragment
  | OpenNotice_PlannedNotice_Fragment
  | OpenNotice_UnplannedNotice_Fragment
;

export type FollowPageSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type FollowPageSubscription = { pageChanged: { cursor: string } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const OpenNoticeFragmentDoc = new TypedDocumentString(`
    fragment OpenNotice on Notice {
  nodeId
  subject
  state
  link
  latestUpdate {
    contentHtml
    postedAt
  }
}
    `, {"fragmentName":"OpenNotice"}) as unknown as TypedDocumentString<OpenNoticeFragment, unknown>;
export const ReadPageDocument = new TypedDocumentString(`
    query ReadPage($id: ID!) {
  page(id: $id) {
    name
    url
    banner {
      state
      text
    }
    components(first: 100, filter: {parentId: {present: false}}) {
      nodes {
        nodeId
        name
        state
        uptime
      }
    }
    notices(first: 10, filter: {timelineState: {in: [PRESENT, FUTURE]}}) {
      nodes {
        ...OpenNotice
      }
    }
  }
}
    fragment OpenNotice on Notice {
  nodeId
  subject
  state
  link
  latestUpdate {
    contentHtml
    postedAt
  }
}`) as unknown as TypedDocumentString<ReadPageQuery, ReadPageQueryVariables>;
export const FollowPageDocument = new TypedDocumentString(`
    subscription FollowPage($id: ID!) {
  pageChanged(pageId: $id) {
    cursor
  }
}
    `) as unknown as TypedDocumentString<FollowPageSubscription, FollowPageSubscriptionVariables>;