import { darkColours, maintenanceColours } from '../src/pages/branding/scheme.js';
import { shownCount } from '../src/status-page/widget/shown-count.js';

/**
 * The script that other sites embed: `<script src="https://status.example.com/widget.js" data-page="2017f84a"
 * async></script>`, with the optional attributes `data-component="12"`, `data-lang="de"`, `data-key` for a private
 * page, and `data-theme`, which is `light`, `dark` or the visitor's scheme.
 *
 * It shows a box while a notice is present, refreshes once a minute, and hides dismissed notices for the session. It
 * ends with a link to the page, and says how many more notices that has. Unchanged content is not rendered again, since
 * a screen reader would announce it again. It sets text, never HTML, keeps its style in a shadow root, and sends
 * requests only to the service that it was loaded from.
 */
interface Notice {
  id: number | string;
  type: string;
  title: string;
  state: string;
  link: string;
}

const own = document.currentScript as HTMLScriptElement;
const { page, theme } = own.dataset;
const url = new URL(`/status/${page}/widget.json`, own.src);
const key = `status ${page}`;
for (const name of ['component', 'lang', 'key']) {
  const value = own.dataset[name];
  if (value) url.searchParams.set(name, value);
}

/** The ids of notices. */
let dismissed: Notice['id'][] = [];
let box: HTMLElement | undefined;
let lastShown = '[]';
// The storage may be disabled.
try {
  dismissed = JSON.parse(sessionStorage[key]);
} catch {}

const append = (parent: Node, name: string, values?: object) =>
  parent.appendChild(Object.assign(document.createElement(name), values));

function createBox(): HTMLElement {
  const root = append(document.body, 'div').attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  const darkQuery = { light: 'not all', dark: 'all' }[theme!] || '(prefers-color-scheme:dark)';
  sheet.replaceSync(`section{position:fixed;z-index:2147483647;inset:auto 1rem 1rem auto;\
box-sizing:border-box;max-width:min(24rem,100vw - 2rem);\
display:flex;gap:.75rem;align-items:start;padding:.75rem 1rem;font:1rem/1.5 system-ui,sans-serif;\
color:#1f2933;background:#fff;border:1px solid #c5ccd4;border-inline-start:4px solid #b45309;border-radius:.5rem;\
box-shadow:0 2px 12px #0003}\
section:empty{display:none}section.planned{border-inline-start-color:${maintenanceColours.light}}\
[dir=rtl]{inset:auto auto 1rem 1rem}\
p{margin:0;overflow-wrap:anywhere}b{display:block;font-size:.875rem}\
small{display:block;margin-top:.25rem}a{color:inherit}\
button{all:unset;box-sizing:border-box;min-width:1.5rem;text-align:center;cursor:pointer;\
border-radius:.25rem}:focus-visible{outline:2px solid}\
@media ${darkQuery}{section{color:${darkColours.text};background:#1f2730;\
border-block-color:#46525f;border-inline-end-color:#46525f}}\
@media print{section{display:none}}`);
  root.adoptedStyleSheets = [sheet];
  return append(root, 'section', { role: 'status' });
}

async function refresh(): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) return;
  const { lang, dir, close, notices, page: name, url: home, more } = await response.json();
  const link = (parent: Node, href: string, textContent: string) =>
    append(parent, 'a', { href, target: '_blank', rel: 'noopener', textContent });
  const shown: Notice[] = notices.filter(({ id }: Notice) => !dismissed.includes(id)).slice(0, shownCount);
  const json = JSON.stringify(shown);
  if (json === lastShown) return;
  lastShown = json;
  box ??= createBox();
  Object.assign(box, { lang, dir, className: shown[0]?.type, textContent: '' });
  if (!shown.length) return;
  const list = append(box, 'div');
  for (const notice of shown) {
    const paragraph = append(list, 'p');
    append(paragraph, 'b', { textContent: notice.state });
    link(paragraph, notice.link, notice.title);
  }
  link(append(list, 'small'), home, more ? `${name} · ${more}` : name);
  append(box, 'button', {
    type: 'button',
    ariaLabel: close,
    title: close,
    textContent: '×',
    onclick() {
      dismissed.push(...shown.map(({ id }) => id));
      try {
        sessionStorage[key] = JSON.stringify(dismissed);
      } catch {}
      box!.textContent = '';
      lastShown = '[]';
    },
  });
}

const poll = () => document.hidden || refresh().catch(() => {});
function start(): void {
  poll();
  setInterval(poll, 6e4);
}
if (document.body) start();
else document.addEventListener('DOMContentLoaded', start);
