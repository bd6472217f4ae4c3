import { css, editorWorkerService, graphqlWorker, js, jsonWorker } from 'virtual:graphiql';
import variablesByName from './example-variables.json';
import examples from './examples.graphql?raw';
import './start.css';

/**
 * Starts GraphiQL. The session storage of the browser has the token, the tabs and what is in them, so that they survive
 * a reload, and end with the browser's tab. The token is not part of the headers editor, whose content would get into
 * the history of queries.
 */
declare const YogaGraphiQL: { renderYogaGraphiQL(root: Element, options: object): void };

const workers: Record<string, string> = { editorWorkerService, graphql: graphqlWorker, json: jsonWorker };
Object.assign(window, {
  MonacoEnvironment: { globalAPI: false, getWorkerUrl: (_: string, label: string) => workers[label] },
});

const tokenKey = 'token';

async function fetcher(parameters: object, options?: { headers?: Record<string, string> }) {
  const token = sessionStorage.getItem(tokenKey);
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...options?.headers,
    },
    body: JSON.stringify(parameters),
  });
  return response.json();
}

const [recordsQuery, ...queries] = examples.trim().split('\n\n');

/** What stands in the variables of the examples for ids and times. */
async function readValues(): Promise<Record<string, string>> {
  const { data } = await fetcher({ query: recordsQuery }).catch(() => ({}));
  const page = data?.viewer?.pages?.nodes[0];
  const tomorrow = Date.now() + 86_400_000;
  return {
    tomorrow: new Date(tomorrow).toISOString(),
    'an hour later': new Date(tomorrow + 3_600_000).toISOString(),
    ...(page && {
      page: page.id,
      component: page.components.nodes[0]?.id ?? '',
      notice: page.notices.nodes[0]?.id ?? '',
      template: page.noticeTemplates.nodes[0]?.id ?? '',
    }),
  };
}

const fillIn = (text: string, values: Record<string, string>) =>
  text.replace(
    /<(page|component|notice|template|tomorrow|an hour later)>/g,
    (placeholder, name: string) => values[name] ?? placeholder,
  );

/** In the tabs of before a token was entered. */
function fillInStored(values: Record<string, string>): void {
  const variables = sessionStorage.getItem('graphiql:variables');
  if (variables) sessionStorage.setItem('graphiql:variables', fillIn(variables, values));
  const state = JSON.parse(sessionStorage.getItem('graphiql:tabState') ?? 'null');
  if (!state) return;
  for (const tab of state.tabs) tab.variables = tab.variables && fillIn(tab.variables, values);
  sessionStorage.setItem('graphiql:tabState', JSON.stringify(state));
}

const createTab = (query: string, values: Record<string, string>) => {
  const [, name] = /^(?:query|mutation) (\w+)/m.exec(query)!;
  const variables = variablesByName[name as keyof typeof variablesByName];
  return { query: `${query}\n`, variables: variables && fillIn(JSON.stringify(variables, null, 2), values) };
};

const load = <T extends HTMLElement>(element: T) =>
  new Promise<void>((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () => reject(new Error('A part of the editor could not be loaded.'));
    document.head.append(element);
  });

const field = document.querySelector<HTMLInputElement>('#token')!;
field.value = sessionStorage.getItem(tokenKey) ?? '';
field.addEventListener('change', () => {
  sessionStorage.setItem(tokenKey, field.value.trim());
  location.reload();
});

const [values] = await Promise.all([
  readValues(),
  load(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: css })),
  load(Object.assign(document.createElement('script'), { src: js })),
]);
fillInStored(values);
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root')!, {
  title: ' ',
  logo: ' ',
  fetcher,
  storage: sessionStorage,
  shouldPersistHeaders: false,
  showPersistHeadersSettings: false,
  defaultTabs: queries.map(query => createTab(query, values)),
  defaultEditorToolsVisibility: 'variables',
  // In place of the default, which writes the query into the address; there a reload would run it.
  onEditQuery: () => {},
});
