import { Initial } from './migrations/20261120-initial.js';
import { DomainProof } from './migrations/20261121-domain-proof.js';
import { Ledger } from './migrations/20261121-ledger.js';
import { ChannelTargets } from './migrations/20261121-channel-targets.js';
import { Marks } from './migrations/20261121-marks.js';
import { PageChanges } from './migrations/20261121-page-changes.js';
import { People } from './migrations/20261121-people.js';
import { ThemeOutcome } from './migrations/20261121-theme-outcome.js';

/** In their order; the names are what a database remembers. */
export const migrations = [
  { name: '20261120-initial', class: Initial },
  { name: '20261121-page-changes', class: PageChanges },
  { name: '20261121-domain-proof', class: DomainProof },
  { name: '20261121-theme-outcome', class: ThemeOutcome },
  { name: '20261121-people', class: People },
  { name: '20261121-ledger', class: Ledger },
  { name: '20261121-channel-targets', class: ChannelTargets },
  { name: '20261121-marks', class: Marks },
];
