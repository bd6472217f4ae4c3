import { setImmediate } from 'node:timers/promises';
import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { createNodeId } from './node-id.js';
import type { RecordClass } from './record-path.js';

type Id = string | number;

interface Batch {
  ids: Set<Id>;
  rows: Promise<Map<Id, unknown>>;
}

/** Reads the records that the resolvers of a field ask for, one for each object, in one statement. */
export class RecordBatches {
  /** Those that wait, by the field that is resolved. */
  private readonly waiting = new Map<FieldNode, Batch>();

  constructor(private readonly readNodes: (nodeIds: string[], info: GraphQLResolveInfo) => Promise<unknown>) {}

  /** Returns rows in the order of `ids`, without those that the caller does not see. */
  async load(entity: RecordClass, ids: readonly Id[], info: GraphQLResolveInfo): Promise<unknown[]> {
    const node = info.fieldNodes[0]!;
    const batch = this.waiting.get(node) ?? this.createBatch(entity, node, info);
    for (const id of ids) batch.ids.add(id);
    const rows = await batch.rows;
    return ids.flatMap(id => rows.get(id) ?? []);
  }

  /** Returns one of them. Null: there is none, or the caller does not see it. */
  async loadOne(entity: RecordClass, id: Id | null, info: GraphQLResolveInfo): Promise<unknown> {
    return id === null ? null : ((await this.load(entity, [id], info))[0] ?? null);
  }

  private createBatch({ name }: RecordClass, node: FieldNode, info: GraphQLResolveInfo): Batch {
    const ids = new Set<Id>();
    const readRows = async () => {
      // graphql-js calls the resolvers of all objects before the event loop turns.
      await setImmediate();
      this.waiting.delete(node);
      const all = [...ids];
      const nodeIds = all.map(id => createNodeId(name, id));
      const rows = all.length ? ((await this.readNodes(nodeIds, info)) as unknown[]) : [];
      return new Map(all.map((id, index) => [id, rows[index]]));
    };
    const batch = { ids, rows: readRows() };
    this.waiting.set(node, batch);
    return batch;
  }
}
