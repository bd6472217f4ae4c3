import { html, type Markup } from './html.js';
import type { Source } from './content-security-policy.js';

/** "identifier of the web analytics tracking code": the two forms that one vendor gives out. Anything else is no identifier, and nothing is added. */
const identifier = /^(?:G-[A-Z0-9]{4,16}|UA-[0-9]{4,12}-[0-9]{1,4})$/;

export interface Analytics {
  loader: Markup;
  script: string;
  /** Who may be reached, only with this. */
  sources: Source;
}

export function analyticsOf(id: string | null): Analytics | null {
  if (!id || !identifier.test(id)) return null;
  return {
    loader: html`<script async src="https://www.googletagmanager.com/gtag/js?id=${id}"></script>`,
    script: `window.dataLayer=[];function gtag(){dataLayer.push(arguments)}gtag('js',new Date);gtag('config','${id}')`,
    sources: {
      'script-src': ['https://www.googletagmanager.com'],
      'connect-src': [
        'https://*.google-analytics.com',
        'https://*.analytics.google.com',
        'https://*.googletagmanager.com',
      ],
      'img-src': ['https://*.google-analytics.com', 'https://*.googletagmanager.com'],
    },
  };
}
