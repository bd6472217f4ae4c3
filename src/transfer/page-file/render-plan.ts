import type { Plan } from './plan.js';
import type { Change, Step } from './step.js';

const signs = { create: '+', change: '~', delete: '-' } as const;

export function renderStep({ action, kind, name, changes }: Step): string {
  const label = kind === 'brand' ? kind : `${kind} ${name}`;
  return [`${signs[action]} ${label}`, ...changes.map(renderChange)].join('\n');
}

function renderChange({ field, before, after }: Change): string {
  const values = before === undefined ? [after] : [before, after];
  return `    ${field}: ${values.map(value => JSON.stringify(value)).join(' → ')}`;
}

/** How many records are created, changed and deleted, and how many are not in the file. */
export function renderSummary({ steps, unlisted }: Plan): string {
  const count = (action: Step['action']) => steps.filter(step => step.action === action).length;
  const summary = steps.length
    ? `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete.\n`
    : 'No changes. The page is as the file says.\n';
  const others = Object.entries(unlisted).map(([kind, number]) => `${number} ${kind}${number === 1 ? '' : 's'}`);
  const list = new Intl.ListFormat('en-GB').format(others);
  return others.length ? `${summary}Not in the file, and left as they are: ${list}. --prune deletes them.\n` : summary;
}
