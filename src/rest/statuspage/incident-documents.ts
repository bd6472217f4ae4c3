import { StatuspageIncident } from './incident-record.js';

export const ListIncidents = /* GraphQL */ `
  query ListStatuspageIncidents($page: ID!, $filter: NoticeFilter, $number: Int, $perPage: Int) {
    result: notices(pageId: $page, filter: $filter, page: $number, perPage: $perPage) {
      nodes { ...StatuspageIncident }
    }
  }
  ${StatuspageIncident}`;

export const RetrieveIncident = /* GraphQL */ `
  query RetrieveStatuspageIncident($page: ID!, $id: ID!) {
    result: notice(pageId: $page, id: $id) { ...StatuspageIncident }
  }
  ${StatuspageIncident}`;

export const OpenIncident = /* GraphQL */ `
  mutation OpenStatuspageIncident($page: ID!, $input: OpenIncidentInput!) {
    result: openIncident(pageId: $page, input: $input) { notice { ...StatuspageIncident } }
  }
  ${StatuspageIncident}`;

export const ScheduleMaintenance = /* GraphQL */ `
  mutation ScheduleStatuspageMaintenance($page: ID!, $input: ScheduleMaintenanceInput!) {
    result: scheduleMaintenance(pageId: $page, input: $input) { notice { ...StatuspageIncident } }
  }
  ${StatuspageIncident}`;

export const UpdateIncident = /* GraphQL */ `
  mutation UpdateStatuspageIncident($page: ID!, $id: ID!, $version: [Int!], $input: UpdateNoticeInput!) {
    result: updateNotice(pageId: $page, id: $id, ifVersion: $version, input: $input) {
      notice { ...StatuspageIncident }
    }
  }
  ${StatuspageIncident}`;

export const DeleteIncident = /* GraphQL */ `
  mutation DeleteStatuspageIncident($page: ID!, $id: ID!) {
    result: deleteNotice(pageId: $page, id: $id) { deletedId }
  }`;

export const incidentDocuments = [
  ListIncidents,
  RetrieveIncident,
  OpenIncident,
  ScheduleMaintenance,
  UpdateIncident,
  DeleteIncident,
];
