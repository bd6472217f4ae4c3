import { shownCount } from '../src/status-page/widget/shown-count.js';

/**
 * The script that other sites embed: `<script src="https://status.example.com/widget.js" data-page="2017f84a"
 * async></script>`, with the optional attributes `data-component="12"`, `data-lang="de"`, `data-key` for a private
 * page, and `data-theme`, which is `light`, `dark` or the visitor's scheme.
 *
 * It shows a box while a notice is present, refreshes once a minute, and hides dismissed notices for the session. It
 * has the colours, the sentence and the icon of the page, ends with a link to it, and says how many more notices it
 * has. Unchanged content is not rendered again, since a screen reader would announce it again. It sets text, never
 * HTML, keeps its style in a shadow root, which inherits nothing of the site, has sizes in pixels, since sites change
 * what a rem is, and sends requests only to the service that it was loaded from.
 */
interface Notice {
  id: number | string;
  type: string;
  title: string;
  state: string;
  tone: string;
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

const sheet = new CSSStyleSheet();
const darkQuery = { light: 'not all', dark: 'all' }[theme!] || '(prefers-color-scheme:dark)';

function createBox(): HTMLElement {
  const root = append(document.body, 'div').attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  return append(root, 'section', { role: 'status' });
}

/** By the style sheet and not by attributes, which the policy of a site may refuse. */
function setStyle(colours: Record<'light' | 'dark', Record<string, string>>): void {
  const set = (scheme: 'light' | 'dark') =>
    `section{${Object.entries(colours[scheme])
      .map(([name, colour]) => `--${name}:${colour}`)
      .join(';')}}`;
  sheet.replaceSync(`:host{all:initial}${set('light')}@media ${darkQuery}{${set('dark')}}\
section{position:fixed;z-index:2147483647;inset:auto 16px 16px auto;box-sizing:border-box;\
width:max-content;max-width:min(380px,100vw - 32px);max-height:calc(100vh - 32px);overflow:auto;\
font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);border:1px solid var(--line);\
border-radius:12px;box-shadow:0 4px 24px #0003;overflow-wrap:anywhere}\
section:empty{display:none}[dir=rtl]{inset:auto auto 16px 16px}\
header{display:flex;gap:10px;align-items:start;padding:12px 16px;background:var(--panel);color:var(--panel-text)}\
b{flex:1;font-size:16px;line-height:24px}svg{width:20px;height:20px;margin-top:2px;flex:none}\
ul{list-style:none;margin:0;padding:8px 16px 0}li{position:relative;padding:4px 0 4px 18px}\
[dir=rtl] li{padding:4px 18px 4px 0}\
li::before{content:"";position:absolute;inset-inline-start:2px;top:11px;width:8px;height:8px;border-radius:50%;\
background:var(--tone);forced-color-adjust:none}small{display:block;font-size:13px;color:var(--quiet)}\
p{margin:0;padding:8px 16px 12px;font-size:13px}a{color:inherit;text-underline-offset:2px}li a{font-weight:600}\
p a{color:var(--link)}.down{--tone:var(--down)}.warn{--tone:var(--warn)}.plan{--tone:var(--plan)}\
path{fill:var(--tone)}\
button{all:unset;box-sizing:border-box;width:24px;font-size:20px;line-height:24px;text-align:center;cursor:pointer;\
border-radius:4px}:focus-visible{outline:2px solid}\
@media(max-width:480px){section{inset:auto 8px 8px!important;width:auto;max-width:none}}\
@media print{section{display:none}}`);
}

const vector = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name);

function appendIcon(parent: Node, tone: string, shape: string): void {
  const image = parent.appendChild(vector('svg'));
  image.setAttribute('viewBox', '0 0 16 16');
  image.setAttribute('class', tone);
  image.ariaHidden = 'true';
  const path = image.appendChild(vector('path'));
  path.setAttribute('fill-rule', 'evenodd');
  path.setAttribute('d', shape);
}

async function refresh(): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) return;
  const { lang, dir, close, notices, page: name, url: home, more, banner, colours } = await response.json();
  const link = (parent: Node, href: string, textContent: string) =>
    append(parent, 'a', { href, target: '_blank', rel: 'noopener', textContent });
  const shown: Notice[] = notices.filter(({ id }: Notice) => !dismissed.includes(id)).slice(0, shownCount);
  const json = JSON.stringify(shown.length ? [shown, banner, more] : []);
  if (json === lastShown) return;
  lastShown = json;
  box ??= createBox();
  setStyle(colours);
  Object.assign(box, { lang, dir, textContent: '' });
  if (!shown.length) return;
  const head = append(box, 'header');
  appendIcon(head, banner.tone, banner.icon);
  append(head, 'b', { textContent: banner.text });
  const list = append(box, 'ul');
  for (const { title, state, tone, link: target } of shown) {
    const item = append(list, 'li', { className: tone });
    link(item, target, title);
    append(item, 'small', { textContent: state });
  }
  link(append(box, 'p'), home, more ? `${name} · ${more}` : name);
  append(head, 'button', {
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
