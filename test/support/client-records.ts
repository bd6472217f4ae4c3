/**
 * What a cache of records must hold after the answer to one document. The fixture begins in an empty database, so that
 * records of different types have the same id.
 */
export const recordsDocument = /* GraphQL */ `
  query recordsQuery($page: ID!) {
    page(id: $page) {
      __typename
      nodeId
      id
      name
      state
      brand {
        __typename
        nodeId
        id
        colorStateOk
      }
      components(first: 10) {
        totalCount
        edges {
          cursor
          node {
            __typename
            nodeId
            id
            name
            state
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
      notices(first: 10) {
        nodes {
          __typename
          nodeId
          id
          subject
          state
          components(first: 10) {
            nodes {
              __typename
              nodeId
              id
              state
            }
          }
          updates(first: 10) {
            nodes {
              __typename
              nodeId
              id
              content
            }
          }
        }
      }
    }
  }
`;

export type ClientRecord = Record<string, unknown> & { __typename: string; nodeId: string; id: string };

/** The records of an answer by nodeId, each with the scalars that are selected anywhere. */
export function collectRecords(answer: unknown, records = new Map<string, ClientRecord>()): Map<string, ClientRecord> {
  if (typeof answer !== 'object' || answer === null) return records;
  if ('nodeId' in answer) {
    const record = answer as ClientRecord;
    const scalars = Object.entries(record).filter(([, value]) => typeof value !== 'object');
    records.set(record.nodeId, { ...records.get(record.nodeId), ...Object.fromEntries(scalars) } as ClientRecord);
  }
  for (const value of Object.values(answer)) collectRecords(value, records);
  return records;
}
