import type { Command } from 'commander';
import { snakeCase } from '../core/snake-case.js';

/** Of a command that prints records. */
export const addJsonOption = (command: Command): Command => command.option('--json', 'print an array of JSON');

/** Renders a line for each record, or all of them as JSON with the names of /v1. */
export function renderRecords<Row extends object>(
  rows: readonly Row[],
  { json }: { json?: boolean },
  renderLine: (row: Row) => string,
  empty: string,
): string {
  if (json) return `${JSON.stringify(rows.map(toSnakeCase), null, 2)}\n`;
  return rows.length ? rows.map(row => `${renderLine(row)}\n`).join('') : empty;
}

const toSnakeCase = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value]));
