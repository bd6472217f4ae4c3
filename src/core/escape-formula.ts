/**
 * A leading apostrophe makes a spreadsheet read a formula as text (CSV injection). Cells that already have such an
 * apostrophe get another one, so that an export is imported unchanged.
 */
const startsFormula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const isEscaped = /^'+[=+\-@\t\r\n＝＋－＠]/;

export const escapeFormula = (cell: string) => (startsFormula.test(cell) ? `'${cell}` : cell);
export const unescapeFormula = (cell: string) => (isEscaped.test(cell) ? cell.slice(1) : cell);
