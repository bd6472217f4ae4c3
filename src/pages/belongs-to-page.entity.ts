import { ManyToOne } from '@mikro-orm/decorators/legacy';
import { type ClassType, Field } from 'type-graphql';
import { type Access, RequiresAccess } from '../auth/access.js';
import { ConnectionField } from '../graphql/connection-field.js';
import { InverseCollection } from '../records/inverse-relation.js';
import { Page } from './page.entity.js';

/**
 * Declares the page of a record, with which it is deleted. The page gets the field `listName`, a list of these records
 * for callers with `access`.
 */
export const BelongsToPage =
  (
    listName: string,
    access: Access,
    record: () => ClassType | (abstract new () => object),
    list: string,
    size?: number,
  ) =>
  (target: object, name: string): void => {
    const inverse = [RequiresAccess(access), ConnectionField(record, list, size)];
    InverseCollection(Page, listName, ...inverse)(target, name);
    ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action' })(target, name);
    Field(() => Page, { description: 'The page it belongs to.' })(target, name);
  };
