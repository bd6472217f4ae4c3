import { describeProblem, problems, showValue } from '../core/problems.js';
import { type Holder, listAddresses, type RowHolders } from './import-holders.js';
import type { ImportProblem, ImportRow } from './import-row.js';

interface RenewedRow extends ImportRow {
  id: number;
  /** How many rows are deleted for it. */
  weight: number;
}

/** What becomes of the rows of a list. Each row is counted once, or has a problem. */
export interface ClassifiedRows {
  added: ImportRow[];
  /** Had signed up without confirming, or had unsubscribed. */
  renewed: RenewedRow[];
  /** Hidden records that hold the other address of somebody who is renewed. */
  replaced: number[];
  existing: number;
  repeated: number;
  left: number;
  problems: ImportProblem[];
}

/** Finds out which rows of a list are new, and which are known by one of their addresses. */
export class ImportClassifier {
  private readonly addresses = new Set<string>();
  /** The ids of those whom an earlier row renews. */
  private readonly renewedIds = new Set<number>();

  constructor(private readonly shouldResubscribe: boolean) {}

  classify(rows: readonly ImportRow[], holders: readonly RowHolders[]): ClassifiedRows {
    const classified = { added: [], renewed: [], replaced: [], existing: 0, repeated: 0, left: 0, problems: [] };
    for (const [index, row] of rows.entries()) this.add(classified, row, holders[index]!);
    return classified;
  }

  private add(classified: ClassifiedRows, row: ImportRow, rowHolders: RowHolders): void {
    const holders = listHolders(rowHolders);
    const active = holders.filter(({ isActive }) => isActive);
    const isFirst = this.takeAddresses(rowHolders);
    if (!isFirst || holders.some(({ id }) => this.renewedIds.has(id))) classified.repeated += 1;
    else if (active.length > 1) classified.problems.push(refuseTaken(row));
    else if (active.length) classified.existing += 1;
    else if ([rowHolders, ...holders].some(({ hasLeft }) => hasLeft) && !this.shouldResubscribe) classified.left += 1;
    else if (!holders.length) classified.added.push(row);
    else {
      const [{ id }, ...others] = holders as [Holder, ...Holder[]];
      for (const holder of holders) this.renewedIds.add(holder.id);
      classified.renewed.push({ ...row, id, weight: holders.reduce((sum, { weight }) => sum + weight, 0) });
      classified.replaced.push(...others.map(other => other.id));
    }
  }

  /** Whether no earlier row has one of the addresses. */
  private takeAddresses(rowHolders: RowHolders): boolean {
    const addresses = listAddresses(rowHolders);
    const isFirst = !addresses.some(address => this.addresses.has(address));
    for (const address of addresses) this.addresses.add(address);
    return isFirst;
  }
}

const takenByOther = problems.taken('another subscriber than the e-mail address');

const refuseTaken = ({ line, phoneNumber }: ImportRow): ImportProblem => ({
  line,
  column: 'phone_number',
  message: describeProblem('phone_number', showValue(phoneNumber), takenByOther),
});

/** Each once, those with an e-mail address first. */
function listHolders({ byEmail, byPhone }: RowHolders): Holder[] {
  const holders = [byEmail, byPhone].filter(holder => holder !== null);
  if (byEmail?.id === byPhone?.id) holders.splice(1);
  return holders.sort((one, other) => Number(other.hasEmail) - Number(one.hasEmail) || one.id - other.id);
}
