import type { z } from 'zod';
import { idOf } from './convert-rows.js';
import { isHidden, notShown } from './hidden-records.js';
import { type ImportedComponent, importedComponent, type LeftOut } from './imported-page.js';
import { readRows } from './read-rows.js';

interface ComponentRows<Row> {
  /** Before the id of a row, in the id of its component. */
  prefix?: string;
  rows: readonly unknown[];
  shape: z.ZodType<Row>;
  convert(row: Row): Omit<z.input<typeof importedComponent>, 'sourceId'>;
}

/** Converts groups and components, and leaves out those that the source hides with all that is below them. */
export class ComponentReader {
  private readonly components: ImportedComponent[] = [];
  /** Why a component is left out, by its id. */
  private readonly hidden = new Map<string, string>();

  constructor(private readonly leftOut: LeftOut[]) {}

  add<Row>({ prefix = '', rows, shape, convert }: ComponentRows<Row>): this {
    for (const row of rows) {
      const sourceId = `${prefix}${idOf(row) ?? ''}`;
      if (isHidden(row, 'component')) this.hidden.set(sourceId, notShown);
      const converted = readRows('component', this.hidden.has(sourceId) ? [] : this.leftOut, {
        // The reason of a hidden one is that it is hidden.
        rows: [row],
        shape,
        convert: value => ({ ...convert(value), sourceId }),
      });
      this.components.push(...converted);
    }
    return this;
  }

  list(): ImportedComponent[] {
    const parents = new Map(this.components.map(({ sourceId, parentId }) => [sourceId, parentId]));
    const shown = this.components.filter(({ sourceId }) => {
      const above = this.findHiddenAbove(sourceId, parents);
      if (above !== null) this.hidden.set(sourceId, `is below ${above}, which ${notShown}`);
      return !this.hidden.has(sourceId);
    });
    const listed = this.withoutEmptied(shown);
    for (const [sourceId, reason] of this.hidden) this.leftOut.push({ kind: 'component', sourceId, reason });
    return listed;
  }

  private findHiddenAbove(sourceId: string, parents: ReadonlyMap<string, string | null>): string | null {
    const seen = new Set([sourceId]);
    for (let id = parents.get(sourceId) ?? null; id !== null && !seen.has(id); id = parents.get(id) ?? null) {
      if (this.hidden.has(id)) return id;
      seen.add(id);
    }
    return null;
  }

  /** A group of hidden components alone is not shown either, and its name may say what they are. */
  private withoutEmptied(components: ImportedComponent[]): ImportedComponent[] {
    const shownParents = new Set(components.map(({ parentId }) => parentId));
    const hiddenParents = new Set(
      this.components.flatMap(({ sourceId, parentId }) => (this.hidden.has(sourceId) ? parentId : [])),
    );
    const rest = components.filter(({ sourceId }) => shownParents.has(sourceId) || !hiddenParents.has(sourceId));
    if (rest.length === components.length) return components;
    const kept = new Set(rest);
    for (const component of components)
      if (!kept.has(component)) this.hidden.set(component.sourceId, `has only components of which none is shown`);
    return this.withoutEmptied(rest);
  }
}
