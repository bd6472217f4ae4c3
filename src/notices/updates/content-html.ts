import { renderMarkdown } from '../../content/markdown/render.js';
import { publicUrlSql } from '../../pages/public-url.js';

/** The address of the page, if the text may contain one of its images, a space, and the text. */
export const withMountSql = (content: string, pageId: string): string =>
  `case when ${content} like '%/images/%' then ${publicUrlSql(pageId)} || '/' else '' end || ' ' || ${content}`;

export function renderWithMount(text: string): string {
  const end = text.indexOf(' ');
  return renderMarkdown(text.slice(end + 1), text.slice(0, end) || null);
}
