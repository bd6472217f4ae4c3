import type { Route } from './route.js';

const TemplateV1 = /* GraphQL */ `
  fragment TemplateV1 on NoticeTemplate {
    id
    name
    subject
    initial_comment: content
    ... on ComponentTemplate { component_id: componentId }
    created_at: createdAt
    updated_at: updatedAt
  }`;

/** Always paged: "{response: [Template], count, pagination}". */
const ListTemplates = /* GraphQL */ `
  query ListTemplates(
    $page_id: ID!, $filter: NoticeTemplateFilter, $page: Int = 1, $per_page: Int = 25,
    $include_version: Boolean!
  ) {
    body: noticeTemplates(pageId: $page_id, filter: $filter, page: $page, perPage: $per_page) {
      response: nodes { ...TemplateV1 version @include(if: $include_version) }
      count
      pagination { current previous next per_page: perPage pages count }
    }
  }
  ${TemplateV1}`;

const CreateTemplate = /* GraphQL */ `
  mutation CreateTemplate($page_id: ID!, $input: CreateNoticeTemplateV1!) {
    body: createNoticeTemplateV1(pageId: $page_id, input: $input) { response: noticeTemplate { ...TemplateV1 } }
  }
  ${TemplateV1}`;

const RetrieveTemplate = /* GraphQL */ `
  query RetrieveTemplate($page_id: ID!, $template_id: ID!) {
    response: noticeTemplate(pageId: $page_id, id: $template_id) { ...TemplateV1 }
  }
  ${TemplateV1}`;

const UpdateTemplate = /* GraphQL */ `
  mutation UpdateTemplate($page_id: ID!, $template_id: ID!, $if_version: [Int!], $input: UpdateNoticeTemplateV1!) {
    body: updateNoticeTemplateV1(pageId: $page_id, id: $template_id, ifVersion: $if_version, input: $input) {
      response: noticeTemplate { ...TemplateV1 }
    }
  }
  ${TemplateV1}`;

const DeleteTemplate = /* GraphQL */ `
  mutation DeleteTemplate($page_id: ID!, $template_id: ID!, $if_version: [Int!]) {
    deleteNoticeTemplate(pageId: $page_id, id: $template_id, ifVersion: $if_version) { deletedId }
  }`;

export const templateRoutes: Route[] = [
  ['GET', '/pages/:page_id/notice_templates', ListTemplates],
  ['POST', '/pages/:page_id/notice_templates', CreateTemplate],
  ['GET', '/pages/:page_id/notice_templates/:template_id', RetrieveTemplate],
  ['PATCH', '/pages/:page_id/notice_templates/:template_id', UpdateTemplate],
  ['DELETE', '/pages/:page_id/notice_templates/:template_id', DeleteTemplate],
];
