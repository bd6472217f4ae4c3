import type { MikroORM } from '@mikro-orm/core';
import type { Meta } from './column-mapping.js';
import type { PathStep } from './record-path.js';
import { getRules } from './record-rules.js';
import type { Selection } from './selection.js';

/** The pages that a response was read from, as far as their versions tell whether it has changed. */
export class PageReads {
  readonly pageIds = new Set<string>();
  /** Whether the response depends on nothing else. */
  isComplete = true;

  constructor(private readonly orm: Pick<MikroORM, 'getMetadata'>) {}

  /** Adds a read of what a path leads to. */
  add([root]: readonly PathStep[], selection: Selection): void {
    const isOfPage = root?.id !== undefined && getRules(root.meta).isAggregateRoot;
    if (isOfPage && this.isPageContent(selection)) this.pageIds.add(String(root.id));
    else this.isComplete = false;
  }

  private isPageContent({ typeNames }: Selection): boolean {
    return [...typeNames].every(name => {
      if (withoutRecords.has(name)) return true;
      // A connection can be counted without a selection of its records.
      const record = name.replace(/(Connection|Edge)$/, '');
      const meta = this.orm.getMetadata().find(record as never) as Meta | undefined;
      return meta !== undefined && getRules(meta).isPageContent === true;
    });
  }
}

const withoutRecords: ReadonlySet<string> = new Set(['PageInfo', 'Pagination']);
