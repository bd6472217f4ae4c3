import type { Route } from './route.js';

const TimeZoneV1 = /* GraphQL */ `
  fragment TimeZoneV1 on TimeZone {
    name
    offset
  }`;

const ListTimezones = /* GraphQL */ `
  query ListTimezones($filter: TimeZoneFilter, $page: Int, $per_page: Int) {
    body: timezones(filter: $filter, page: $page, perPage: $per_page) {
      response: nodes { ...TimeZoneV1 }
      count
      pagination { current previous next per_page: perPage pages count }
    }
  }
  ${TimeZoneV1}`;

const RetrieveTimezone = /* GraphQL */ `
  query RetrieveTimezone($timezone_id: ID!) {
    response: timezone(id: $timezone_id) { ...TimeZoneV1 }
  }
  ${TimeZoneV1}`;

const Hello = /* GraphQL */ `
  query Hello {
    response: hello
  }`;

/** Resources that belong to no page. */
export const serviceRoutes: Route[] = [
  ['GET', '/timezones', ListTimezones],
  ['GET', '/timezones/:timezone_id', RetrieveTimezone],
  ['GET', '/hello', Hello],
];
