import { renderMarkdown } from '../../markdown/render.js';
import type { PublicationPicture } from '../message-snapshot.js';
import { escapeHtml as escaped } from '../../core/escape-html.js';
import type { MailLinks } from './mail.js';
import { type MailColours, mailColours } from './mail-colours.js';
import { shortened } from './shorten.js';
import { readableText, type MessageContent } from './content.js';

const fonts = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * The mail for who sees it. Mail programs lay out by tables and know little but styles on the elements themselves; the one style sheet is for those that can draw
 * by night, and takes the place of their own guesses. Nothing is loaded from anywhere.
 */
export function mailHtml(told: MessageContent, picture: PublicationPicture, links: MailLinks): string {
  const { page } = picture;
  const day = mailColours(picture, told.tone, 'day');
  const { t, list, direction, locale } = told.texts;
  const sentences = (lines: string[]) => lines.map(escaped).join('<br>');
  const link = (address: string, words: string) =>
    `<a class="link" href="${escaped(address)}" style="color:${day.link};text-decoration:underline">${escaped(words)}</a>`;
  const quiet = (html: string, space = 0) =>
    `<p class="quiet" style="margin:${space}px 0 0;font-size:14px;line-height:1.5;color:${day.quiet}">${html}</p>`;
  const prose = (markdown: string) =>
    `<div style="font-size:16px;line-height:1.55;overflow-wrap:break-word">${styled(renderMarkdown(markdown), day)}</div>`;
  const older = told.older.map(
    ({ content, time }) =>
      `<div class="line" style="margin:16px 0 0;padding:16px 0 0;border-top:1px solid ${day.line}">${quiet(escaped(time))}${prose(content)}</div>`,
  );
  const footer = [
    `${link(page.address, told.page)}${page.supportEmail ? ` · ${escaped(t('support.title'))}: ${link(`mailto:${page.supportEmail}`, page.supportEmail)}` : ''}`,
    links.unsubscribe ? escaped(t('mail.why', { page: told.page })) : '',
    [
      links.preferences && link(links.preferences, t('mail.preferences')),
      links.unsubscribe && link(links.unsubscribe, t('mail.unsubscribe')),
    ]
      .filter(Boolean)
      .join(' · '),
  ].filter(Boolean);
  const body = [
    `<p class="sign" style="margin:0;font-size:14px;line-height:1.5;font-weight:bold;color:${day.sign}">${escaped(told.headline)}</p>`,
    `<h1 class="text" style="margin:4px 0 0;font-size:24px;line-height:1.3;overflow-wrap:anywhere;color:${day.text}">${escaped(told.subject)}</h1>`,
    quiet(escaped(told.time), 4),
    told.newest ? prose(told.newest) : '',
    told.times.length
      ? `<p class="text" style="margin:16px 0 0;font-size:16px;line-height:1.5;color:${day.text}">${sentences(told.times)}</p>`
      : '',
    told.components.length
      ? quiet(`${escaped(t('notice.affected'))}: <strong>${escaped(list(told.components))}</strong>`, 16)
      : '',
    button(told.link, t('mail.view'), day),
    older.length
      ? `<h2 class="text" style="margin:32px 0 0;font-size:18px;line-height:1.3;color:${day.text}">${escaped(t('mail.earlier'))}</h2>`
      : '',
    ...older,
  ];
  const preview = shortened(
    told.newest ? readableText(told.newest).replace(/\s+/g, ' ') : told.times.join(', '),
    text => text.length <= 140,
  );
  return `<!DOCTYPE html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(told.subject)}</title>
<style>${nightStyle(mailColours(picture, told.tone, 'night'))}</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${day.page};${fonts};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escaped(preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${day.page}" style="background-color:${day.page}">
<tr><td align="center" class="header" bgcolor="${day.header}" style="background-color:${day.header};padding:20px 16px">
${column(`<a class="header-text" href="${escaped(page.address)}" style="font-size:18px;font-weight:bold;color:${day.headerText};text-decoration:none">${escaped(told.page)}</a>`, direction)}
</td></tr>
<tr><td align="center" style="padding:28px 16px">
${column(
  `<div class="text" style="color:${day.text}">
${body.filter(Boolean).join('\n')}
</div>`,
  direction,
)}
</td></tr>
<tr><td align="center" class="line" style="padding:20px 16px 32px;border-top:1px solid ${day.line}">
${column(footer.map((line, index) => quiet(line, index && 8)).join('\n'), direction)}
</td></tr>
</table>
</body>
</html>
`;
}

/** 600 pixels at most. Outlook knows no max-width, and takes the table in the comment. */
function column(content: string, direction: string): string {
  const align = direction === 'rtl' ? 'right' : 'left';
  return `<!--[if mso]><table role="presentation" width="600" align="center"><tr><td><![endif]-->
<div style="max-width:600px;margin:0 auto;text-align:${align};${fonts}">
${content}
</div>
<!--[if mso]></td></tr></table><![endif]-->`;
}

function button(address: string, words: string, { button: background, buttonText }: MailColours): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0"><tr><td class="button" bgcolor="${background}" style="background-color:${background};border-radius:6px;padding:12px 20px"><a class="button-text" href="${escaped(address)}" style="font-size:16px;font-weight:bold;color:${buttonText};text-decoration:none">${escaped(words)}</a></td></tr></table>`;
}

/** What cleans the Markdown leaves only these tags, and writes each in one way; a "<" of the text is escaped. */
function styled(html: string, { link, line, quiet }: MailColours): string {
  const mono = 'font-family:Consolas,Menlo,monospace;font-size:14px';
  const cell = `border:1px solid ${line};padding:6px 8px;text-align:start`;
  const styles: Record<string, string> = {
    ...{
      p: 'margin:12px 0 0',
      ul: 'margin:12px 0 0;padding:0 24px',
      ol: 'margin:12px 0 0;padding:0 24px',
      li: 'margin:4px 0 0',
    },
    ...{
      h4: 'margin:20px 0 0;font-size:18px',
      h5: 'margin:20px 0 0;font-size:16px',
      h6: 'margin:20px 0 0;font-size:16px',
    },
    ...{
      pre: `margin:12px 0 0;white-space:pre-wrap;${mono}`,
      code: mono,
      hr: `margin:16px 0 0;border:0;border-top:1px solid ${line}`,
    },
    ...{
      blockquote: `margin:12px 0 0;padding:0 12px;border-inline-start:3px solid ${line};color:${quiet}`,
      table: 'margin:12px 0 0;border-collapse:collapse',
    },
    ...{ th: cell, td: cell, a: `color:${link};text-decoration:underline` },
  };
  const classes: Record<string, string> = { a: 'link', blockquote: 'quiet line', th: 'line', td: 'line', hr: 'line' };
  return html.replace(/<([a-z]+[1-6]?)(?=[ >])/g, (tag, name: string) => {
    const named = classes[name] ? ` class="${classes[name]}"` : '';
    return styles[name] ? `${tag}${named} style="${styles[name]}"` : tag;
  });
}

function nightStyle(night: MailColours): string {
  const rules = [
    `.page{background-color:${night.page}!important}`,
    `.text{color:${night.text}!important}`,
    `.quiet{color:${night.quiet}!important}`,
    `.line{border-color:${night.line}!important}`,
    `.link{color:${night.link}!important}`,
    `.header{background-color:${night.header}!important}`,
    `.header-text{color:${night.headerText}!important}`,
    `.sign{color:${night.sign}!important}`,
    `.button{background-color:${night.button}!important}`,
    `.button-text{color:${night.buttonText}!important}`,
  ];
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}`;
}
