import { exampleOperations, exampleRecordsQuery } from './graphiql-operations.js';

export const styles = `html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; color-scheme: light dark; background: Canvas; color: CanvasText; }
#root { flex: 1; min-height: 0; }
#root .graphiql-container { height: 100%; }
#credentials { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.75rem; padding: 0.5rem 1rem; }
#credentials, #credentials input { font: 0.9rem/1.4 system-ui, sans-serif; }
#credentials input { flex: 0 1 26rem; min-width: 12rem; padding: 0.3rem 0.5rem; }
#credentials p { margin: 0; opacity: 0.75; }
`;

/**
 * The script that starts GraphiQL. The session storage of the browser has the token, the tabs and what is in them, so
 * that they survive a reload, and end with the browser's tab. The token is no part of the headers editor, whose content
 * would get into the history of queries.
 * `onEditQuery` replaces the default, which writes the query into the address; there a reload would run it.
 */
export const startScript = (workerPaths: Record<string, string>): string => `
const workerPaths = ${JSON.stringify(workerPaths)};
const operations = ${JSON.stringify(exampleOperations)};
const recordsQuery = ${JSON.stringify(exampleRecordsQuery)};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => workerPaths[label] };

const tokenKey = 'token';
const fetcher = async (parameters, options) => {
  const token = sessionStorage.getItem(tokenKey);
  const authorization = token && { Authorization: 'Bearer ' + token };
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...authorization, ...options?.headers },
    body: JSON.stringify(parameters),
  });
  return response.json();
};

const readRecords = async () => {
  const { data } = await fetcher({ query: recordsQuery }).catch(() => ({}));
  const page = data?.viewer?.pages?.nodes[0];
  const tomorrow = Date.now() + 86_400_000;
  return {
    '<tomorrow>': new Date(tomorrow).toISOString(),
    '<an hour later>': new Date(tomorrow + 3_600_000).toISOString(),
    ...(page && {
      '<page>': page.id,
      '<component>': page.components.nodes[0]?.id ?? '',
      '<notice>': page.notices.nodes[0]?.id ?? '',
      '<template>': page.noticeTemplates.nodes[0]?.id ?? '',
    }),
  };
};

/** Fills in what has no value yet, also in the tabs of before a token was entered. */
const fillIn = (text, records) =>
  text && text.replace(/<(page|component|notice|template|tomorrow|an hour later)>/g, name => records[name] ?? name);
const fillInStored = records => {
  const variables = sessionStorage.getItem('graphiql:variables');
  if (variables) sessionStorage.setItem('graphiql:variables', fillIn(variables, records));
  const state = JSON.parse(sessionStorage.getItem('graphiql:tabState'));
  if (!state) return;
  for (const tab of state.tabs) tab.variables = fillIn(tab.variables, records);
  sessionStorage.setItem('graphiql:tabState', JSON.stringify(state));
};

document.addEventListener('DOMContentLoaded', async () => {
  const field = document.getElementById('token');
  field.value = sessionStorage.getItem(tokenKey) ?? '';
  field.addEventListener('change', () => {
    sessionStorage.setItem(tokenKey, field.value.trim());
    location.reload();
  });
  const records = await readRecords();
  fillInStored(records);
  YogaGraphiQL.renderYogaGraphiQL(document.getElementById('root'), {
    title: ' ',
    logo: ' ',
    fetcher,
    storage: sessionStorage,
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
    defaultTabs: operations.map(({ query, variables }) => ({
      query,
      variables: variables && fillIn(JSON.stringify(variables, null, 2), records),
    })),
    defaultEditorToolsVisibility: 'variables',
    onEditQuery: () => {},
  });
});
`;
