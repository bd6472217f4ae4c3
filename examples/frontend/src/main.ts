import { follow, GraphqlError, query } from './api.js';
import { FollowPageDocument, ReadPageDocument, type ReadPageQuery } from './graphql.js';

type Page = NonNullable<ReadPageQuery['page']>;
type Children = (Node | string | null | undefined)[];

const id = new URLSearchParams(location.search).get('page') ?? '';
const root = document.querySelector('main')!;

function element(name: string, attributes: Record<string, string>, ...children: Children): HTMLElement {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children.filter(child => child != null));
  return created;
}

const say = (text: string) => root.replaceChildren(element('p', { role: 'alert' }, text));
const toWords = (state: string) => state.toLowerCase().replaceAll('_', ' ');

function renderNotice({ subject, state, link, latestUpdate }: Page['notices']['nodes'][number]): HTMLElement {
  const text = element('div', { class: 'update' });
  // The service renders and sanitizes the Markdown of updates.
  text.innerHTML = latestUpdate?.contentHtml ?? '';
  return element(
    'article',
    {},
    element('h3', {}, element('a', { href: link }, subject)),
    state && element('span', { class: 'state' }, toWords(state)),
    text,
  );
}

function renderComponent({ name, state, uptime }: Page['components']['nodes'][number]): HTMLElement {
  const share = uptime === null ? null : element('small', {}, `${(Math.floor(uptime * 10_000) / 100).toFixed(2)} %`);
  return element('li', { 'data-state': state }, name, share, element('span', { class: 'state' }, toWords(state)));
}

function render({ name, url, banner, components, notices }: Page): void {
  document.title = name;
  root.replaceChildren(
    element('h1', {}, element('a', { href: url }, name)),
    element('p', { class: 'banner', 'data-state': banner?.status ?? '' }, banner?.text),
    ...notices.nodes.map(renderNotice),
    element('ul', {}, ...components.nodes.map(renderComponent)),
  );
}

/** An event says only that the page has changed: what is shown is read, once even if several events come meanwhile. */
let isReading = false;
let isBehind = false;

async function onChange(): Promise<void> {
  isBehind = true;
  if (isReading) return;
  isReading = true;
  while (isBehind) {
    isBehind = false;
    try {
      const { page } = await query(ReadPageDocument, { id });
      if (page) render(page);
    } catch (error) {
      isBehind = error instanceof GraphqlError && error.isTemporary;
      if (isBehind) await new Promise(resolve => setTimeout(resolve, 1_000));
      else say((error as Error).message);
    }
  }
  isReading = false;
}

if (id) follow(FollowPageDocument, { id }, onChange, () => say('There is no such page.'));
else say('Name a page in the address: ?page=<id>.');
