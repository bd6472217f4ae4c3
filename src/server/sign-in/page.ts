import { createHash } from 'node:crypto';
import { readBrowserScript } from '../../core/browser-script.js';
import { html, Markup } from '../../status-page/html/html.js';
import type { SignInMethod } from '../../people/sign-in/sign-in-methods.js';
import { style } from './style.js';

const script = readBrowserScript('sign-in');
const sourceHash = (source: string) => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;

/** A form may not lead elsewhere: `form-action` applies to redirects, too, so the provider is a link. */
export const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    `default-src 'none'; style-src ${sourceHash(style)}; script-src ${sourceHash(script)}; connect-src 'self'; ` +
    `form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

function renderPage(title: string, main: readonly (Markup | null)[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
<p id="status" role="status"></p>
</main>
<script>${new Markup(script)}</script>
</body>
</html>`.html;
}

/** A page that only says something, with a way on. */
export const renderMessage = (title: string, text: string): string =>
  renderPage(title, [html`<p>${text}</p>`, html`<p><a href="/sign-in">Sign in</a></p>`]);

export const renderLinkForm = (): string =>
  renderPage('Sign in to All Clear', [html`<form method="post"><button class="primary">Sign in</button></form>`]);

export interface SignInPage {
  methods: readonly SignInMethod[];
  providerName: string;
  to: string;
  problem?: string | undefined;
  /** Whether the browser has stored text that was not published. */
  isUnsent?: boolean;
  /** The address of the person who is signed in already. */
  signedInAs?: string | undefined;
}

/** The ways to sign in that the service offers. A session lasts until another begins. */
export function renderSignIn({ methods, providerName, to, problem, isUnsent, signedInAs }: SignInPage): string {
  const offers = (method: SignInMethod) => methods.includes(method);
  return renderPage(signedInAs ? 'Sign in again' : 'Sign in to All Clear', [
    signedInAs
      ? html`<p>You are still signed in as ${signedInAs}. <a href="${to}">Back</a></p>
<p class="hint">Some changes require a sign-in within the last 10 minutes.</p>`
      : null,
    problem ? html`<p role="alert">${problem}</p>` : null,
    isUnsent
      ? html`<p class="unsent"><strong>What you wrote is not published.</strong>
It is stored in this browser. Sign in to continue.</p>`
      : null,
    offers('openid_connect')
      ? html`<p class="way">
<a class="button primary" href="/sign-in/openid-connect?to=${encodeURIComponent(to)}">
Sign in with ${providerName}</a></p>`
      : null,
    offers('passkey')
      ? html`<div class="way" data-passkeys hidden>
<button type="button" data-action="signIn" data-to="${to}">Sign in with a passkey</button></div>`
      : null,
    offers('email_code')
      ? html`<form method="post" action="/sign-in">
<input type="hidden" name="to" value="${to}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254">
<button>Send me a code</button></form>`
      : null,
    html`<hr><details ${methods.length > 1 && !signedInAs ? '' : 'open'}><summary>No way in?</summary>
<p class="hint">An operator of this service can print a link for you:
<code>allclear people invite ${signedInAs ?? 'you@example.com'}</code></p>
${
  signedInAs
    ? null
    : html`<p class="hint">With it, the operator gives a role to a person who has none:
<code>allclear people invite you@example.com --role publisher --pages 2017f84a</code></p>`
}</details>`,
  ]);
}

/** After a code was asked for: one answer, whether or not somebody has the address. */
export function renderCodeForm({ email, to, problem }: { email: string; to: string; problem?: string }): string {
  return renderPage('Enter the code', [
    html`<p>If ${email} may sign in, a mail with a code of 8 digits is on its way there.
It is valid for 15 minutes.</p>`,
    problem ? html`<p role="alert">${problem}</p>` : null,
    html`<form method="post" action="/sign-in/code">
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="email" value="${email}">
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="20" autofocus>
<button class="primary">Sign in</button></form>`,
    html`<p class="hint">Nothing arrived? Check your spam folder, or
<a href="/sign-in?to=${encodeURIComponent(to)}">begin again</a>.</p>`,
  ]);
}

interface SessionPage {
  email: string;
  passkeys: readonly { id: number; name: string }[] | null;
}

/** Who is signed in, the passkeys (null: not offered), and the way out. */
export function renderSession({ email, passkeys }: SessionPage): string {
  return renderPage('You are signed in', [
    html`<p>${email}</p>`,
    html`<p><a href="/console/">Open the console</a></p>`,
    passkeys &&
      html`<div data-passkeys><h2>Passkeys</h2>
<p class="hint">Sign in with a fingerprint, a PIN or a security key, without a code.</p>
<ul>${passkeys.map(
        ({ id, name }) => html`<li>${name}
<button type="button" data-action="remove" data-id="${id}" aria-label="Delete ${name}">Delete</button></li>`,
      )}</ul>
<p><label for="name">Name of a new passkey</label><input id="name" maxlength="255" value="Passkey"></p>
<button type="button" data-action="add">Add a passkey</button></div>`,
    html`<form method="post" action="/sign-in/out"><button>Sign out</button></form>`,
  ]);
}
