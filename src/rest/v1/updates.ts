import type { Route } from './route.js';

export const UpdateV1 = /* GraphQL */ `
  fragment UpdateV1 on NoticeUpdate {
    id
    content
    should_publish: isPublished
    created_at: createdAt
    updated_at: updatedAt
    link
  }`;

const ListUpdates = /* GraphQL */ `
  query ListUpdates(
    $page_id: ID!, $notice_id: ID!, $filter: NoticeUpdateFilter, $page: Int, $per_page: Int,
    $include_version: Boolean!
  ) {
    body: noticeUpdates(pageId: $page_id, noticeId: $notice_id, filter: $filter, page: $page, perPage: $per_page) {
      response: nodes { ...UpdateV1 version @include(if: $include_version) }
      count
      pagination { current previous next per_page: perPage pages count }
    }
  }
  ${UpdateV1}`;

const CreateUpdate = /* GraphQL */ `
  mutation CreateUpdate($page_id: ID!, $notice_id: ID!, $input: CreateNoticeUpdateV1!) {
    body: createNoticeUpdateV1(pageId: $page_id, noticeId: $notice_id, input: $input) {
      response: noticeUpdate { ...UpdateV1 }
    }
  }
  ${UpdateV1}`;

const RetrieveUpdate = /* GraphQL */ `
  query RetrieveUpdate($page_id: ID!, $notice_id: ID!, $update_id: ID!) {
    response: noticeUpdate(pageId: $page_id, noticeId: $notice_id, id: $update_id) { ...UpdateV1 }
  }
  ${UpdateV1}`;

const UpdateUpdate = /* GraphQL */ `
  mutation UpdateUpdate(
    $page_id: ID!, $notice_id: ID!, $update_id: ID!, $if_version: [Int!], $input: UpdateNoticeUpdateInput!
  ) {
    body: updateNoticeUpdate(
      pageId: $page_id, noticeId: $notice_id, id: $update_id, ifVersion: $if_version, input: $input
    ) {
      response: noticeUpdate { ...UpdateV1 }
    }
  }
  ${UpdateV1}`;

const DeleteUpdate = /* GraphQL */ `
  mutation DeleteUpdate($page_id: ID!, $notice_id: ID!, $update_id: ID!, $if_version: [Int!]) {
    deleteNoticeUpdate(pageId: $page_id, noticeId: $notice_id, id: $update_id, ifVersion: $if_version) { deletedId }
  }`;

export const updateRoutes: Route[] = [
  ['GET', '/pages/:page_id/notices/:notice_id/updates', ListUpdates],
  ['POST', '/pages/:page_id/notices/:notice_id/updates', CreateUpdate],
  ['GET', '/pages/:page_id/notices/:notice_id/updates/:update_id', RetrieveUpdate],
  ['PATCH', '/pages/:page_id/notices/:notice_id/updates/:update_id', UpdateUpdate],
  ['DELETE', '/pages/:page_id/notices/:notice_id/updates/:update_id', DeleteUpdate],
];
