import type { Client, CombinedError } from '@urql/core';
import { createUrqlClient } from './client.js';
import { FollowPageDocument, type OverviewFragment as Page, ReadPageDocument } from './graphql.js';

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

function renderComponent({ name, status, uptime }: Page['components']['nodes'][number]): HTMLElement {
  const share = uptime === null ? null : element('small', {}, `${(Math.floor(uptime * 10_000) / 100).toFixed(2)} %`);
  return element('li', { 'data-status': status }, name, share, element('span', { class: 'state' }, toWords(status)));
}

function render({ name, url, banner, components, notices }: Page): void {
  document.title = name;
  root.replaceChildren(
    element('h1', {}, element('a', { href: url }, name)),
    element('p', { class: 'banner', 'data-status': banner?.status ?? '' }, banner?.text),
    ...notices.nodes.map(renderNotice),
    element('ul', {}, ...components.nodes.map(renderComponent)),
  );
}

/** In how many milliseconds the service may answer what it has refused. Undefined: it will refuse it again. */
function findDelay(error: CombinedError | undefined): number | undefined {
  const { code, retryAfter = 5 } = error?.graphQLErrors[0]?.extensions ?? {};
  return code === 'UNAVAILABLE' || code === 'THROTTLED' ? Number(retryAfter) * 1_000 : undefined;
}

/** Shows the page as it is, and again with each event, which has all that is shown. */
async function follow(client: Client): Promise<void> {
  /** What is on the screen stays where the service is busy. False: it is read again later. */
  const show = (page: Page | null | undefined, error: CombinedError | undefined): boolean => {
    const delay = page ? undefined : findDelay(error);
    if (delay !== undefined) setTimeout(follow, delay, client);
    else if (page) render(page);
    else say(error?.graphQLErrors[0]?.message ?? 'The service cannot be reached.');
    return delay === undefined;
  };
  const { data, error } = await client.query(ReadPageDocument, { id }, { requestPolicy: 'network-only' });
  if (!show(data?.page, error)) return;
  const events = client.subscription(FollowPageDocument, { id }).subscribe(event => {
    if (!show(event.data?.pageChanged?.page, event.error)) events.unsubscribe();
  });
}

// Where the service is: this origin, unless the build names another.
if (id) await follow(createUrqlClient(import.meta.env.VITE_SERVICE_URL ?? ''));
else say('Name a page in the address: ?page=<id>.');
