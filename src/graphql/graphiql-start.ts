/** The first query in the editor; a test runs it. */
export const defaultQuery = `# All Clear. Enter a token in the headers below: "Bearer <token>".
# The button at the upper left shows all types and fields with their descriptions.

query Pages {
  pages {
    totalCount
    nodes {
      id
      name
      state
      components { nodes { id name state parentId } }
      notices(first: 5) {
        totalCount
        nodes {
          id
          type
          subject
          timelineState
          state
          ... on PlannedNotice { beginsAt endsAt }
        }
      }
    }
  }
}
`;

export const styles = 'html, body, #root { height: 100%; margin: 0; }\n';

/**
 * The script that starts GraphiQL. The token is only in the headers editor: nothing is stored in the browser, since the
 * history of queries would store headers too. An empty token is not sent, since it would be refused as invalid.
 * `onEditQuery` replaces the default, which writes the query into the address; there a reload would run it.
 */
export const startScript = (workerPaths: Record<string, string>): string => `
const workerPaths = ${JSON.stringify(workerPaths)};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => workerPaths[label] };
const fetcher = async (parameters, options) => {
  const headers = Object.entries(options?.headers ?? {}).filter(([, value]) => !/^bearer\\s*$/i.test(value));
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...Object.fromEntries(headers) },
    body: JSON.stringify(parameters),
  });
  return response.json();
};
const items = new Map();
const storage = {
  get length() {
    return items.size;
  },
  getItem: name => items.get(name) ?? null,
  setItem: (name, value) => items.set(name, value),
  removeItem: name => items.delete(name),
  clear: () => items.clear(),
};
document.addEventListener('DOMContentLoaded', () =>
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), {
    title: 'All Clear',
    logo: ' ',
    fetcher,
    storage,
    shouldPersistHeaders: false,
    defaultQuery: ${JSON.stringify(defaultQuery)},
    headers: JSON.stringify({ Authorization: 'Bearer ' }, null, 2),
    defaultEditorToolsVisibility: 'headers',
    onEditQuery: () => {},
  }),
);
`;
