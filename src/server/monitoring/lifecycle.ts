import type { MigrationPhase } from '../../db/migrate.js';

/** What a process does now, in the words of /readyz. */
type Phase = 'starting' | 'waiting for the database' | MigrationPhase | 'serving' | 'stopping';

/** While the database is away, pages are served from the disk. */
const phasesWithPages: readonly Phase[] = ['waiting for the database', 'serving'];

/** The phase of a process, which its health checks and its load balancers learn from one place. */
export class Lifecycle {
  private phase: Phase = 'starting';

  enter(phase: Phase): void {
    this.phase = phase;
  }

  /** Why the process does not do all of its work, or null. */
  readonly findProblem = (): string | null => (this.phase === 'serving' ? null : this.phase);

  /** Why the process should get no requests for pages, or null. */
  readonly findPagesProblem = (): string | null => (phasesWithPages.includes(this.phase) ? null : this.phase);
}
