import { hasLightLogoOnly } from '../../pages/branding/brand-image.js';
import { escapeHtml } from '../../core/escape-html.js';
import type { Translator } from '../../i18n/translator.js';
import type { MessageImage, MessageSnapshot } from './message-snapshot.js';
import type { MailColours, MailColourSchemes } from './mail-colours.js';

const fonts = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

interface MailFrame {
  title: string;
  /** The text that mail clients show beside the subject in their list. */
  preview: string;
  pageName: string;
  pageAddress: string;
  /** In place of the name in the header. */
  images: MessageSnapshot['page']['images'];
  /** HTML. */
  body: string;
  /** Lines of HTML. */
  footer: readonly string[];
  colours: MailColourSchemes;
  translator: Translator;
}

/**
 * The frame of every mail. Mail clients need tables for layout and styles on the elements themselves. The only style
 * sheet is the dark scheme, for clients that support one; it replaces their own guess of dark colours. Nothing is
 * loaded remotely but the logo, from the page.
 */
export function renderMailFrame({
  title,
  preview,
  pageName,
  pageAddress,
  images,
  body,
  footer,
  ...frame
}: MailFrame): string {
  const { light, dark } = frame.colours;
  const { direction, locale } = frame.translator;
  const footerHtml = footer.map((line, index) => renderMuted(line, light, index && 8)).join('\n');
  const pageLink = linkTo(
    'header-text',
    pageAddress,
    `font-size:18px;font-weight:bold;color:${light.headerText};text-decoration:none`,
    renderLogo(images, pageName) ?? escapeHtml(pageName),
  );
  const bodyStyle = `margin:0;padding:0;background-color:${light.page};${fonts};-webkit-text-size-adjust:100%`;
  const tableAttributes =
    'role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" ' +
    `bgcolor="${light.page}" style="background-color:${light.page}"`;
  const headerAttributes =
    `align="center" class="header" bgcolor="${light.header}" ` +
    `style="background-color:${light.header};padding:20px 16px"`;
  return `<!DOCTYPE html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${renderDarkStyle(dark, images)}</style>
</head>
<body class="page" style="${bodyStyle}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table ${tableAttributes}>
<tr><td ${headerAttributes}>
${renderColumn(pageLink, direction)}
</td></tr>
<tr><td align="center" style="padding:28px 16px">
${renderColumn(
  `<div class="text" style="color:${light.text}">
${body}
</div>`,
  direction,
)}
</td></tr>
<tr><td align="center" class="border" style="padding:20px 16px 32px;border-top:1px solid ${light.border}">
${renderColumn(footerHtml, direction)}
</td></tr>
</table>
</body>
</html>
`;
}

/** An element with inline styles. */
export const element = (tag: string, className: string, style: string, html: string) =>
  `<${tag} class="${className}" style="${style}">${html}</${tag}>`;

export const anchor = (className: string, url: string, style: string, text: string) =>
  linkTo(className, url, style, escapeHtml(text));

const linkTo = (className: string, url: string, style: string, html: string) =>
  `<a class="${className}" href="${escapeHtml(url)}" style="${style}">${html}</a>`;

const maxLogo = { width: 224, height: 36 };

/** The logo with the name as its alternative text, for clients that load no images. Null: there is none. */
function renderLogo(images: MailFrame['images'], name: string): string | null {
  if (!images?.logo) return null;
  const light = renderImage('logo', images.logo, name, 'display:block');
  return light + (images.logoDark ? renderImage('logo-dark', images.logoDark, name, 'display:none;mso-hide:all') : '');
}

function renderImage(className: string, { url, width, height }: MessageImage, name: string, style: string): string {
  const scale = Math.min(maxLogo.width / width, maxLogo.height / height);
  const size = `width="${Math.round(width * scale)}" height="${Math.round(height * scale)}"`;
  const source = `src="${escapeHtml(url)}" alt="${escapeHtml(name)}"`;
  return `<img class="${className}" ${source} ${size} style="border:0;${style}">`;
}

export const renderMuted = (html: string, { muted }: MailColours, marginTop = 0) =>
  element('p', 'muted', `margin:${marginTop}px 0 0;font-size:14px;line-height:1.5;color:${muted}`, html);

/** 600 pixels at most. Outlook does not support max-width, and uses the table in the conditional comment. */
function renderColumn(html: string, direction: string): string {
  const align = direction === 'rtl' ? 'right' : 'left';
  return `<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->
<div style="max-width:600px;margin:0 auto;text-align:${align};${fonts}">
${html}
</div>
<!--[if mso]></td></tr></table><![endif]-->`;
}

export function renderButton(url: string, text: string, { button, buttonText }: MailColours): string {
  const cellStyle = `background-color:${button};border-radius:6px;padding:12px 20px`;
  const linkStyle = `font-size:16px;font-weight:bold;color:${buttonText};text-decoration:none`;
  const cell = `<td class="button" bgcolor="${button}" style="${cellStyle}">`;
  return [
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0"><tr>',
    `${cell}${anchor('button-text', url, linkStyle, text)}</td></tr></table>`,
  ].join('');
}

function renderDarkStyle(dark: MailColours, images: MailFrame['images']): string {
  const rules = [
    `.page{background-color:${dark.page}!important}`,
    `.text{color:${dark.text}!important}`,
    `.muted{color:${dark.muted}!important}`,
    `.border{border-color:${dark.border}!important}`,
    `.link{color:${dark.link}!important}`,
    ...(hasLightLogoOnly(images)
      ? []
      : [`.header{background-color:${dark.header}!important}`, `.header-text{color:${dark.headerText}!important}`]),
    `.state{color:${dark.state}!important}`,
    `.button{background-color:${dark.button}!important}`,
    `.button-text{color:${dark.buttonText}!important}`,
    ...(images?.logoDark ? ['.logo{display:none!important}.logo-dark{display:block!important}'] : []),
  ];
  const root = ':root{color-scheme:light dark;supported-color-schemes:light dark}';
  return `${root}@media (prefers-color-scheme:dark){${rules.join('')}}`;
}
