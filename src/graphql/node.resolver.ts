import { Arg, ID, Resolver } from 'type-graphql';
import { badRequest } from '../core/errors.js';
import { Node } from '../core/node.entity.js';
import type { FieldReader } from '../records/field-reader.js';
import { InjectReader, ReadQuery } from './field-decorators.js';

const maxNodes = 100;

/** Any record by its global id. What a caller may read is declared by the queries of the records. */
@Resolver()
export class NodeResolver {
  @ReadQuery(
    () => Node,
    'page',
    'Returns the record with this `nodeId` to callers who may read it by the query of its type. Null if there is none.',
  )
  node(
    @Arg('nodeId', () => ID, { description: 'The `nodeId` of a record.' }) nodeId: string,
    @InjectReader() read: FieldReader,
  ) {
    return read.node(nodeId);
  }

  @ReadQuery(
    () => [Node],
    'page',
    'Returns the records with these `nodeIds`, in that order; null where there is none.',
    { hasNullItems: true },
  )
  nodes(
    @Arg('nodeIds', () => [ID], { description: `The \`nodeId\` of each record, at most ${maxNodes}.` })
    nodeIds: string[],
    @InjectReader() read: FieldReader,
  ) {
    if (nodeIds.length > maxNodes) throw badRequest(`\`nodeIds\` takes at most ${maxNodes} ids.`, ['nodeIds']);
    return read.nodes(nodeIds);
  }
}
