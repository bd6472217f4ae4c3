/** Below the limits of the service for a request. */
const maxRows = 5_000;
const maxLength = 400_000;

interface Part {
  csv: string;
  rows: number;
  /** Of its first row, in the file. */
  line: number;
  /** Before its first row, in the part. */
  headerLines: number;
}

/** What can stand before the names: blank lines, and the one by which Excel says the separator. */
const beforeNames = /^(?:"?sep=.|\s*$)/i;

/** The rows of a file in parts that the service takes, each below the line of names. A row ends outside of quotes. */
export function splitCsv(csv: string): Part[] {
  const records = csv.match(/(?:"[^"]*(?:"|$)|[^"\n])+\n?|\n/g) ?? [];
  const namesAt = Math.max(
    0,
    records.findIndex(record => !beforeNames.test(record)),
  );
  const names = records.slice(0, namesAt + 1).join('');
  const rows = records.slice(namesAt + 1);
  const parts: Part[] = [];
  const headerLines = countLines(names);
  let line = 1 + headerLines;
  for (const row of rows) {
    let part = parts.at(-1);
    if (!part || part.rows === maxRows || part.csv.length + row.length > maxLength) {
      part = { csv: names, rows: 0, line, headerLines };
      parts.push(part);
    }
    part.csv += row;
    part.rows += 1;
    line += countLines(row);
  }
  return parts.length ? parts : [{ csv, rows: 0, line: 2, headerLines: 1 }];
}

const countLines = (text: string): number => text.split('\n').length - 1;
