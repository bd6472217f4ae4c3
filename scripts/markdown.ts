export const fence = (language: string, text: string) => `\`\`\`${language}\n${text.trim()}\n\`\`\`\n`;
export const toJson = (value: unknown) => JSON.stringify(value, null, 2);
/** A vertical bar or a new line would end a cell. */
export const cell = (text = '') => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
/** A table whose other columns need no heading; nothing without rows. */
export const renderTable = (heading: string, rows: string[][]) =>
  rows.length
    ? `| ${heading} |${' |'.repeat(rows[0]!.length - 1)}\n|${'---|'.repeat(rows[0]!.length)}\n${rows
        .map(row => `| ${row.join(' | ')} |\n`)
        .join('')}`
    : '';
