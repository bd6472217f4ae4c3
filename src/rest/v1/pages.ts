import { channels, isInV1, switchName, switchWireName } from '../../notifications/channels/registry.js';
import type { Route } from './route.js';
import { BrandV1, CustomDomainV1, ThemeV1 } from './page-settings.js';
import { ComponentV1 } from './components.js';
import { NoticeV1 } from './notices.js';
import { SubscriberV1 } from './subscribers.js';
import { UpdateV1 } from './updates.js';

const switches = channels.filter(isInV1).map(channel => `${switchWireName(channel)}: ${switchName(channel)}`);

const PageV1 = /* GraphQL */ `
  fragment PageV1 on Page {
    id
    name
    timezone: timezoneName
    support_email: supportEmail
    support_telephone: supportTelephone
    support_url: supportUrl
    visible_to_search: isVisibleToSearch
    meta_title: metaTitle
    meta_description: metaDescription
    vendor_analytics_id: googleAnalyticsId
    created_at: createdAt
    updated_at: updatedAt
    state
    timeline_threshold: timelineThresholdSeconds
    timeline_threshold_in_days: timelineThresholdInDays
    timeline_sort_order: timelineSortOrder
    locale
    endpoint
    ${switches.join(' ')}
  }`;

const fragments = [PageV1, BrandV1, CustomDomainV1, ThemeV1, ComponentV1, NoticeV1, UpdateV1, SubscriberV1].join('');

const includeVariables = /* GraphQL */ `
  $include_brand: Boolean!, $include_custom_domain: Boolean!, $include_theme: Boolean!, $include_components: Boolean!,
  $include_notices: Boolean!, $include_notices__updates: Boolean!, $include_notices__components: Boolean!,
  $include_notices__components__descendants: Boolean!, $include_notices__components__ancestors: Boolean!,
  $include_subscribers: Boolean!, $include_subscribers__components: Boolean!`;

/** The records of a page that `include` accepts, with filters where the operation has them. */
const included = (isFiltered: boolean) => {
  const filter = (name: string) => (isFiltered ? `(filter: $filter_${name})` : '');
  return /* GraphQL */ `
    brand @include(if: $include_brand) { ...BrandV1 }
    custom_domain: customDomain @include(if: $include_custom_domain) { ...CustomDomainV1 }
    theme @include(if: $include_theme) { ...ThemeV1 }
    components${filter('components')} @include(if: $include_components) { ...ComponentV1 }
    notices${filter('notices')} @include(if: $include_notices) {
      ...NoticeV1
      updates @include(if: $include_notices__updates) { ...UpdateV1 }
      components @include(if: $include_notices__components) {
        ...ComponentV1
        descendants @include(if: $include_notices__components__descendants) { ...ComponentV1 }
        ancestors @include(if: $include_notices__components__ancestors) { ...ComponentV1 }
      }
    }
    subscribers${filter('subscribers')} @include(if: $include_subscribers) {
      ...SubscriberV1
      components @include(if: $include_subscribers__components) { ...ComponentV1 }
    }`;
};

const filterVariables =
  '$filter_components: ComponentFilter, $filter_notices: NoticeFilter, $filter_subscribers: SubscriberFilter';

const ListPages = /* GraphQL */ `
  query ListPages(
    $filter: PageFilter, ${filterVariables}, $page: Int, $per_page: Int, ${includeVariables},
    $include_version: Boolean!
  ) {
    body: pages(filter: $filter, page: $page, perPage: $per_page) {
      response: nodes { ...PageV1 version @include(if: $include_version) ${included(true)} }
      count
      pagination { current previous next per_page: perPage pages count }
    }
  }
  ${fragments}`;

const CreatePage = /* GraphQL */ `
  mutation CreatePage($input: CreatePageInput!, ${includeVariables}) {
    body: createPage(input: $input) { response: page { ...PageV1 ${included(false)} } }
  }
  ${fragments}`;

const RetrievePage = /* GraphQL */ `
  query RetrievePage($page_id: ID!, ${filterVariables}, ${includeVariables}) {
    response: page(id: $page_id) { ...PageV1 ${included(true)} }
  }
  ${fragments}`;

const UpdatePage = /* GraphQL */ `
  mutation UpdatePage($page_id: ID!, $if_version: [Int!], $input: UpdatePageInput!, ${includeVariables}) {
    body: updatePage(id: $page_id, ifVersion: $if_version, input: $input) {
      response: page { ...PageV1 ${included(false)} }
    }
  }
  ${fragments}`;

const DeletePage = /* GraphQL */ `
  mutation DeletePage($page_id: ID!, $if_version: [Int!]) {
    deletePage(id: $page_id, ifVersion: $if_version) { deletedId }
  }`;

export const pageRoutes: Route[] = [
  ['GET', '/pages', ListPages],
  ['POST', '/pages', CreatePage],
  ['GET', '/pages/:page_id', RetrievePage],
  ['PATCH', '/pages/:page_id', UpdatePage],
  ['DELETE', '/pages/:page_id', DeletePage],
];
