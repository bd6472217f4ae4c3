import type { GraphQLSchema } from 'graphql';
import { buildTool, type Tool } from './build-tool.js';

/**
 * What assistants may do. A tool is a GraphQL operation: its variables are the input, with the types and descriptions
 * of the schema, which also decides who may call it. None of them publishes anything.
 */
const operations: readonly { description: string; document: string }[] = [
  {
    description: 'The present state of a status page: its components, and the notices that are open or planned.',
    document: `query get_status($pageId: ID!) {
      page(id: $pageId) {
        id name url state
        components(first: 100) { nodes { id name description parentId state } }
        notices(first: 20, filter: { timelineState: { in: [PRESENT, FUTURE] } }) {
          nodes { id type subject state link beganAt nextUpdateBy latestUpdate { postedAt contentText } }
        }
      }
    }`,
  },
  {
    description:
      'The notices of a status page, newest first: incidents, maintenance and announcements, also past ones.',
    document: `query list_notices($pageId: ID!, $first: Int = 20, $after: String) {
      notices(pageId: $pageId, first: $first, after: $after) {
        nodes { id type subject state timelineState link beganAt endedAt componentIds }
        pageInfo { hasNextPage endCursor }
      }
    }`,
  },
  {
    description: 'A notice with all its updates and the components it concerns.',
    document: `query get_notice($id: ID!) {
      notice(id: $id) {
        id type subject state timelineState link beganAt endedAt nextUpdateBy
        components(first: 100) { nodes { id name state } }
        updates(first: 100) { nodes { id kind state postedAt editedAt contentText } }
      }
    }`,
  },
  {
    description: 'The uptime of a component in per cent, and its state on each of the last days.',
    document: `query get_uptime($componentId: ID!) {
      component(id: $componentId) { id name uptime history { date status noticeCount } }
    }`,
  },
  {
    description: 'The status pages that the token may see.',
    document: `query list_pages($first: Int = 20, $after: String) {
      pages(first: $first, after: $after) { nodes { id name url state } pageInfo { hasNextPage endCursor } }
    }`,
  },
  {
    description:
      'Saves the draft of an incident. A person reads and publishes it in the console; nobody is notified now.',
    document: `mutation draft_incident(
      $pageId: ID!, $subject: String!, $content: String!, $state: IncidentState, $componentIds: [ID!]! = []
    ) {
      saveDraft(pageId: $pageId, input: { openIncident: {
        subject: $subject, content: $content, state: $state, componentIds: $componentIds, shouldPublish: false
      } }) { draft { id updatedAt } }
    }`,
  },
  {
    description: 'Saves the draft of an update of a notice. A person reads and publishes it in the console.',
    document: `mutation draft_update($pageId: ID!, $noticeId: ID!, $content: String!, $state: NoticeState) {
      saveDraft(pageId: $pageId, noticeId: $noticeId, input: { createNoticeUpdate: {
        content: $content, state: $state, shouldPublish: false
      } }) { draft { id updatedAt } }
    }`,
  },
];

/** Throws if an operation does not suit the schema. */
export const buildTools = (schema: GraphQLSchema): Tool[] =>
  operations.map(({ description, document }) => buildTool(schema, description, document));
