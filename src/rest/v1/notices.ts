import type { Route } from './route.js';
import { ComponentV1 } from './components.js';
import { UpdateV1 } from './updates.js';

/** Keys that only some types have are in the fragments of those types, and absent from the others. */
export const NoticeV1 = /* GraphQL */ `
  fragment NoticeV1 on Notice {
    id
    type
    subject
    synopsis
    ... on UnplannedNotice { state }
    ... on PlannedNotice { state }
    timeline_state: timelineState
    ... on PlannedNotice { begins_at: beginsAt ends_at: endsAt }
    began_at: beganAt
    ended_at: endedAt
    ... on PlannedNotice { should_automate_schedule: shouldAutomateSchedule }
    created_at: createdAt
    updated_at: updatedAt
    link
    tag_list: tagList
  }`;

const fragments = [NoticeV1, UpdateV1, ComponentV1].join('');

const includeVariables = '$include_updates: Boolean!, $include_components: Boolean!';
const included = /* GraphQL */ `
  updates @include(if: $include_updates) { ...UpdateV1 }
  components @include(if: $include_components) { ...ComponentV1 }`;

const filterVariables = '$filter_updates: NoticeUpdateFilter, $filter_components: ComponentFilter';
const filtered = /* GraphQL */ `
  updates(filter: $filter_updates) @include(if: $include_updates) { ...UpdateV1 }
  components(filter: $filter_components) @include(if: $include_components) { ...ComponentV1 }`;

const ListNotices = /* GraphQL */ `
  query ListNotices(
    $page_id: ID!, $filter: NoticeFilter, ${filterVariables}, $page: Int, $per_page: Int,
    ${includeVariables}, $include_version: Boolean!
  ) {
    body: notices(pageId: $page_id, filter: $filter, page: $page, perPage: $per_page) {
      response: nodes { ...NoticeV1 version @include(if: $include_version) ${filtered} }
      count
      pagination { current previous next per_page: perPage pages count }
    }
  }
  ${fragments}`;

const CreateNotice = /* GraphQL */ `
  mutation CreateNotice($page_id: ID!, $input: CreateNoticeV1!, ${includeVariables}) {
    body: createNoticeV1(pageId: $page_id, input: $input) { response: notice { ...NoticeV1 ${included} } }
  }
  ${fragments}`;

const RetrieveNotice = /* GraphQL */ `
  query RetrieveNotice($page_id: ID!, $notice_id: ID!, ${filterVariables}, ${includeVariables}) {
    response: notice(pageId: $page_id, id: $notice_id) { ...NoticeV1 ${filtered} }
  }
  ${fragments}`;

const UpdateNotice = /* GraphQL */ `
  mutation UpdateNotice(
    $page_id: ID!, $notice_id: ID!, $if_version: [Int!], $input: UpdateNoticeV1!, ${includeVariables}
  ) {
    body: updateNoticeV1(pageId: $page_id, id: $notice_id, ifVersion: $if_version, input: $input) {
      response: notice { ...NoticeV1 ${included} }
    }
  }
  ${fragments}`;

const DeleteNotice = /* GraphQL */ `
  mutation DeleteNotice($page_id: ID!, $notice_id: ID!, $if_version: [Int!]) {
    deleteNotice(pageId: $page_id, id: $notice_id, ifVersion: $if_version) { deletedId }
  }`;

export const noticeRoutes: Route[] = [
  ['GET', '/pages/:page_id/notices', ListNotices],
  ['POST', '/pages/:page_id/notices', CreateNotice],
  ['GET', '/pages/:page_id/notices/:notice_id', RetrieveNotice, 'public'],
  ['PATCH', '/pages/:page_id/notices/:notice_id', UpdateNotice],
  ['DELETE', '/pages/:page_id/notices/:notice_id', DeleteNotice],
];
