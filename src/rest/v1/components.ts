import type { Route } from './route.js';

export const ComponentV1 = /* GraphQL */ `
  fragment ComponentV1 on Component {
    id
    state
    name
    description
    position
    parent_id: parentId
    created_at: createdAt
    updated_at: updatedAt
  }`;

const ListComponents = /* GraphQL */ `
  query ListComponents(
    $page_id: ID!, $filter: ComponentFilter, $page: Int, $per_page: Int,
    $include_version: Boolean!
  ) {
    body: components(pageId: $page_id, filter: $filter, page: $page, perPage: $per_page) {
      response: nodes { ...ComponentV1 version @include(if: $include_version) }
      count
      pagination { current previous next per_page: perPage pages count }
    }
  }
  ${ComponentV1}`;

const CreateComponent = /* GraphQL */ `
  mutation CreateComponent($page_id: ID!, $input: CreateComponentInput!) {
    body: createComponent(pageId: $page_id, input: $input) { response: component { ...ComponentV1 } }
  }
  ${ComponentV1}`;

const RetrieveComponent = /* GraphQL */ `
  query RetrieveComponent($page_id: ID!, $component_id: ID!) {
    response: component(pageId: $page_id, id: $component_id) { ...ComponentV1 }
  }
  ${ComponentV1}`;

const UpdateComponent = /* GraphQL */ `
  mutation UpdateComponent($page_id: ID!, $component_id: ID!, $if_version: [Int!], $input: UpdateComponentInput!) {
    body: updateComponent(pageId: $page_id, id: $component_id, ifVersion: $if_version, input: $input) {
      response: component { ...ComponentV1 }
    }
  }
  ${ComponentV1}`;

const DeleteComponent = /* GraphQL */ `
  mutation DeleteComponent($page_id: ID!, $component_id: ID!, $if_version: [Int!]) {
    deleteComponent(pageId: $page_id, id: $component_id, ifVersion: $if_version) { deletedId }
  }`;

export const componentRoutes: Route[] = [
  ['GET', '/pages/:page_id/components', ListComponents],
  ['POST', '/pages/:page_id/components', CreateComponent],
  ['GET', '/pages/:page_id/components/:component_id', RetrieveComponent],
  ['PATCH', '/pages/:page_id/components/:component_id', UpdateComponent],
  ['DELETE', '/pages/:page_id/components/:component_id', DeleteComponent],
];
