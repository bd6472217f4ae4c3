import { ImportSubscribersDocument, type ImportSubscribersMutation } from '../api/documents.ts';
import { createKey } from '../api/idempotency-key.ts';
import { request } from '../api/transport.ts';
import { splitCsv } from './split-csv.ts';

export type ImportResult = NonNullable<ImportSubscribersMutation['result']>;

interface Import {
  pageId: string;
  csv: string;
  consentSource: string;
  dryRun: boolean;
}

/** Imports, or tries, a file of any length, one part after the other. The progress is a share. */
export async function importParts(
  { pageId, csv, consentSource, dryRun }: Import,
  onProgress: (share: number) => void,
): Promise<ImportResult> {
  const parts = splitCsv(csv);
  let total: ImportResult | undefined;
  for (const [index, part] of parts.entries()) {
    onProgress(index / parts.length);
    const input = { csv: part.csv, consentSource };
    const options = { idempotencyKey: createKey() };
    const { result } = await request(ImportSubscribersDocument, { pageId, dryRun, input }, options);
    if (result!.userErrors.length) return result!;
    const offset = part.line - part.headerLines - 1;
    const problems = result!.problems!.map(problem => ({ ...problem, line: problem.line + offset }));
    total = total ? addUp(total, { ...result!, problems }) : { ...result!, problems };
  }
  return total!;
}

const counts = ['rows', 'added', 'existing', 'renewed', 'repeated', 'left'] as const;

const addUp = (one: ImportResult, other: ImportResult): ImportResult => ({
  ...one,
  ...Object.fromEntries(counts.map(name => [name, (one[name] ?? 0) + (other[name] ?? 0)])),
  problems: [...one.problems!, ...other.problems!],
});
