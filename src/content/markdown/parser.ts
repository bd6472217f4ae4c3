import MarkdownIt, { type StateBlock, type StateCore, type StateInline, type Token } from 'markdown-it';
import { findPageImagePath } from './page-image.js';

/** Nested quotes and lists. Deeper blocks become text. */
const maxBlockNesting = 16;
/**
 * Quotes, lists and items of lists: one line can begin 16, each an element that is twenty times as long as its mark.
 * What follows is shown as text. So many, one more for so many characters of the text, and no more than `most`.
 */
const containerLimits = { least: 100, charactersEach: 6, most: 6_000 };
const containers = /^(?:blockquote|bullet_list|ordered_list|list_item)_open$/;
/** Lines that are read as Markdown. What follows is shown as text. */
const maxLines = 5_000;
/** Cells of tables, those included that a row leaves out. What follows is shown as text. */
const maxCells = 7_000;
/** What may begin a link, an element or an emphasis. Paragraphs beyond are shown as text. */
const maxMarks = 12_000;
const marks = /[[<*_~]/g;
/** A longer URL is not linked. */
const maxUrlLength = 2_000;
/** Link targets of one text together. Reference links could repeat a target of 60,000 characters 1,500 times. */
const maxTargetLength = 500_000;

/**
 * CommonMark with the extensions of GitHub: tables, strikethrough, task lists and autolinks. Parsing takes linear time
 * for hostile texts too. The output contains the author's HTML, and any link target: `sanitize` must follow.
 */
export const parser = new MarkdownIt({ html: true, linkify: true, xhtmlOut: true, maxNesting: 2 * maxBlockNesting });

parser.validateLink = () => true;
parser.normalizeLinkText = text => text;
parser.normalizeLink = url => {
  // A lone surrogate has no encoding.
  return url.isWellFormed() ? encodeURI(url).replaceAll('%25', '%') : '';
};

parser.linkify
  .set({ urlAuth: true })
  .add('//', null)
  .add('www.', {
    validate: (text, position, linkify) => {
      const length = linkify.testSchemaAt(
        `http://www.${text.slice(position, position + maxUrlLength)}`,
        'http:',
        'http:'.length,
      );
      return Math.max(length - '//www.'.length, 0);
    },
    normalize: match => {
      match.url = `http://${match.url}`;
    },
  });

parser.renderer.rules.s_open = () => '<del>';
parser.renderer.rules.s_close = () => '</del>';
parser.block.ruler.before('table', 'cell_limit', limitCells);
parser.block.ruler.before('code', 'nesting_limit', limitNesting);
parser.core.ruler.at('block', parseBlocks);
parser.core.ruler.after('block', 'task_list', removeCheckboxes);
parser.core.ruler.at('inline', parseInlines);
parser.core.ruler.push('target_limit', limitTargets);
parser.inline.ruler.at('strikethrough', readTildes);

/** Parses a limited number of lines and of cells, since an item and a cell take as long as a paragraph. */
function parseBlocks(state: StateCore): void {
  const end = Math.min(findNth(state.src, '\n', maxLines), findRow(state.src));
  state.md.block.parse(state.src.slice(0, end), state.md, state.env, state.tokens);
  const rest = state.src.slice(end).trim();
  if (!rest) return;
  const open = new state.Token('paragraph_open', 'p', 1);
  const inline = new state.Token('inline', '', 0);
  const close = new state.Token('paragraph_close', 'p', -1);
  inline.content = rest;
  const line = state.src.slice(0, end).trimEnd().split('\n').length;
  inline.map = [line, line + rest.split('\n').length];
  inline.children = [createText(state, rest)];
  state.tokens.push(open, inline, close);
}

/** The place of a character, counted from 1, or the end of the text. */
function findNth(text: string, character: string, nth: number): number {
  let place = -1;
  for (let count = 0; count < nth; count++) {
    place = text.indexOf(character, place + 1);
    if (place < 0) return text.length;
  }
  return place;
}

/** The beginning of the row that has the first cell beyond the limit, or the end of the text. */
function findRow(text: string): number {
  const place = findNth(text, '|', maxCells);
  return place < text.length ? text.lastIndexOf('\n', place) + 1 : place;
}

/** Parses what is within blocks, up to a limited number of marks. */
function parseInlines(state: StateCore): void {
  let count = 0;
  for (const token of state.tokens) {
    if (token.type !== 'inline' || token.children?.length) continue;
    count += token.content.match(marks)?.length ?? 0;
    token.children = [];
    if (count > maxMarks) token.children.push(createText(state, token.content));
    else state.md.inline.parse(token.content, state.md, state.env, token.children);
  }
}

function createText(state: StateCore, content: string): Token {
  const text = new state.Token('text', '', 0);
  text.content = content;
  return text;
}

/** `maxNesting` alone would drop deeper blocks: they become a paragraph of text, as those beyond the maximum do. */
function limitNesting(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  if (isSilent || (state.level < maxBlockNesting && countContainers(state) <= findMaxContainers(state))) return false;
  pushText(state, startLine, endLine);
  return true;
}

/** A table with more cells than are left becomes a paragraph of text: a row of one character has one in each column. */
function limitCells(state: StateBlock, startLine: number, endLine: number, isSilent: boolean): boolean {
  if (isSilent || startLine + 1 >= endLine) return false;
  const [header, delimiters] = state.getLines(startLine, startLine + 2, state.blkIndent, false).split('\n');
  if (!header?.includes('|') || !delimiters || !/^[\s|:-]+$/.test(delimiters)) return false;
  const columns = delimiters.split('|').filter(cell => cell.trim()).length;
  let end = startLine;
  while (end < endLine && !state.isEmpty(end)) end += 1;
  const { env } = state as { env: { cells?: number } };
  const cells = (env.cells ?? 0) + columns * (end - startLine);
  if (cells > maxCells) pushText(state, startLine, end);
  else env.cells = cells;
  return cells > maxCells;
}

/** A paragraph with the lines. */
function pushText(state: StateBlock, startLine: number, endLine: number): void {
  state.push('paragraph_open', 'p', 1);
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(startLine, endLine, state.blkIndent, false).trim();
  inline.map = [startLine, endLine];
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = endLine;
}

const findMaxContainers = ({ src }: StateBlock): number =>
  Math.min(containerLimits.most, containerLimits.least + src.length / containerLimits.charactersEach);

/** Of those that the text has begun. Each token is looked at once. */
function countContainers({ env, tokens }: StateBlock): number {
  env.containers ??= { counted: 0, count: 0 };
  const { containers: seen } = env as { containers: { counted: number; count: number } };
  for (; seen.counted < tokens.length; seen.counted++) if (containers.test(tokens[seen.counted]!.type)) seen.count++;
  return seen.count;
}

function removeCheckboxes({ tokens }: StateCore): void {
  for (const [index, { type }] of tokens.entries()) {
    const inline = tokens[index + 2];
    if (type === 'list_item_open' && inline?.type === 'inline')
      inline.content = inline.content.replace(/^\[[ xX]\]\s+/, '');
  }
}

/** Drops targets beyond the limit, and all attributes that `sanitize` would drop. */
function limitTargets({ tokens }: StateCore): void {
  let length = 0;
  const limit = (target: string) => {
    length += target.length;
    return length > maxTargetLength ? '' : target;
  };
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') token.attrs = [['href', limit(String(token.attrGet('href')))]];
    if (token.type !== 'image') continue;
    const source = String(token.attrGet('src'));
    token.attrs = [...(findPageImagePath(source) ? [['src', limit(source)] as [string, string]] : []), ['alt', '']];
  }
}

/** Strikethrough with one tilde or two, as on GitHub; the rule that this replaces requires two. */
function readTildes(state: StateInline, isSilent: boolean): boolean {
  if (isSilent || state.src[state.pos] !== '~') return false;
  const { can_open: open, can_close: close, length } = state.scanDelims(state.pos, true);
  state.push('text', '', 0).content = '~'.repeat(length);
  const token = state.tokens.length - 1;
  if (length < 3) state.delimiters.push({ marker: '~'.charCodeAt(0), length, token, end: -1, open, close });
  state.pos += length;
  return true;
}
