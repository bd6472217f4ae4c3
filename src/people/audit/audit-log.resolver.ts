import { Arg, Args, ID, Resolver } from 'type-graphql';
import { createFilterType } from '../../graphql/filters.js';
import { IdArg, InjectReader, ReadQuery } from '../../graphql/field-decorators.js';
import { createConnectionType, createListArguments } from '../../graphql/connection-types.js';
import { Page } from '../../pages/page.entity.js';
import type { FieldReader } from '../../records/field-reader.js';
import type { ListArguments } from '../../records/list-arguments.js';
import { actorAttributes } from '../actor.fields.js';
import { AuditEntry } from './audit-entry.entity.js';

const AuditEntryConnection = createConnectionType(AuditEntry);
const AuditEntryArguments = createListArguments(
  AuditEntry,
  createFilterType(AuditEntry, { attributes: actorAttributes('actor') }),
  ['id', 'recordedAt'],
);

@Resolver()
export class AuditLogResolver {
  @ReadQuery(() => AuditEntry, 'administrator', 'An entry of the audit log.')
  auditEntry(@IdArg('id') id: string, @InjectReader() read: FieldReader) {
    return read.one([[AuditEntry, id]]);
  }

  @ReadQuery(
    () => AuditEntryConnection,
    'administrator',
    'The audit log, newest first: what operators, their programs and the service itself have changed.',
  )
  auditLog(
    @Arg('pageId', () => ID, {
      nullable: true,
      description:
        'The page. Null or absent: all pages that the caller owns, and for an OWNER of all pages everything.',
    })
    pageId: string | undefined,
    @Args(() => AuditEntryArguments) list: ListArguments,
    @InjectReader() read: FieldReader,
  ) {
    return read.list(pageId == null ? [] : [[Page, pageId]], AuditEntry, list);
  }
}
