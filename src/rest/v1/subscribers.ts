import type { Route } from './route.js';
import { ComponentV1 } from './components.js';

export const SubscriberV1 = /* GraphQL */ `
  fragment SubscriberV1 on Subscriber {
    id
    email
    phone_number: phoneNumber
    first_name: firstName
    last_name: lastName
    nickname
    company
    tag_list: tagText
    created_at: createdAt
    updated_at: updatedAt
  }`;

const fragments = [SubscriberV1, ComponentV1].join('');

const ListSubscribers = /* GraphQL */ `
  query ListSubscribers(
    $page_id: ID!, $filter: SubscriberFilter, $filter_components: ComponentFilter, $page: Int, $per_page: Int,
    $include_components: Boolean!, $include_version: Boolean!
  ) {
    body: subscribers(pageId: $page_id, filter: $filter, page: $page, perPage: $per_page) {
      response: nodes {
        ...SubscriberV1 version @include(if: $include_version)
        components(filter: $filter_components) @include(if: $include_components) { ...ComponentV1 }
      }
      count
      pagination { current previous next per_page: perPage pages count }
    }
  }
  ${fragments}`;

const CreateSubscriber = /* GraphQL */ `
  mutation CreateSubscriber($page_id: ID!, $input: CreateSubscriberInput!, $include_components: Boolean!) {
    body: createSubscriber(pageId: $page_id, input: $input) {
      response: subscriber { ...SubscriberV1 components @include(if: $include_components) { ...ComponentV1 } }
    }
  }
  ${fragments}`;

const RetrieveSubscriber = /* GraphQL */ `
  query RetrieveSubscriber(
    $page_id: ID!, $subscriber_id: ID!, $filter_components: ComponentFilter, $include_components: Boolean!
  ) {
    response: subscriber(pageId: $page_id, id: $subscriber_id) {
      ...SubscriberV1
      components(filter: $filter_components) @include(if: $include_components) { ...ComponentV1 }
    }
  }
  ${fragments}`;

const UpdateSubscriber = /* GraphQL */ `
  mutation UpdateSubscriber(
    $page_id: ID!, $subscriber_id: ID!, $if_version: [Int!], $input: UpdateSubscriberInput!,
    $include_components: Boolean!
  ) {
    body: updateSubscriber(pageId: $page_id, id: $subscriber_id, ifVersion: $if_version, input: $input) {
      response: subscriber { ...SubscriberV1 components @include(if: $include_components) { ...ComponentV1 } }
    }
  }
  ${fragments}`;

const DeleteSubscriber = /* GraphQL */ `
  mutation DeleteSubscriber($page_id: ID!, $subscriber_id: ID!, $if_version: [Int!]) {
    deleteSubscriber(pageId: $page_id, id: $subscriber_id, ifVersion: $if_version) { deletedId }
  }`;

export const subscriberRoutes: Route[] = [
  ['GET', '/pages/:page_id/subscribers', ListSubscribers],
  ['POST', '/pages/:page_id/subscribers', CreateSubscriber],
  ['GET', '/pages/:page_id/subscribers/:subscriber_id', RetrieveSubscriber],
  ['PATCH', '/pages/:page_id/subscribers/:subscriber_id', UpdateSubscriber],
  ['DELETE', '/pages/:page_id/subscribers/:subscriber_id', DeleteSubscriber],
];
