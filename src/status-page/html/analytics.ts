import { isAnalyticsId } from '../../core/analytics-id.js';
import { html, type Markup } from './html.js';
import type { CspSources } from './content-security-policy.js';

interface Analytics {
  loader: Markup;
  script: string;
  sources: CspSources;
}

export function createAnalytics(id: string | null): Analytics | null {
  if (!id || !isAnalyticsId(id)) return null;
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
