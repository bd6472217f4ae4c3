import { Ctx, Field, ObjectType } from 'type-graphql';
import { createRowQuery } from '../db/prepared-statements.js';
import type { Context } from '../graphql/context.js';
import { InjectReader, ReadField } from '../graphql/field-decorators.js';
import { PageChangePayload } from '../pages/page-change.payload.js';
import type { FieldReader } from '../records/field-reader.js';
import { Publication } from './publication.entity.js';
import type { PublicationOutcome } from './publish.service.js';
import { Warning } from './warning.fields.js';
import { listWarnings } from './warning.service.js';

/** The payload of a write that can notify: it says who was notified, or why nobody was. */
@ObjectType()
export abstract class PublishingPayload extends PageChangePayload {
  constructor(
    pageId: string,
    private readonly outcome: PublicationOutcome,
    /** Null: the write changed no notice. */
    private readonly changedNoticeId: number | null,
  ) {
    super(pageId);
  }

  @ReadField(() => Publication, 'The publication that the write caused. Null if there is none: `warnings` says why.', {
    nullable: true,
  })
  publication(@InjectReader() read: FieldReader) {
    return 'publicationId' in this.outcome ? read.one([[Publication, this.outcome.publicationId]]) : null;
  }

  @Field(() => [Warning], {
    description: 'Why nobody was notified, and what the author may have overlooked, as `warnings` of a preview.',
  })
  warnings(@Ctx() { run }: Context): Promise<Warning[]> {
    return listWarnings(createRowQuery(run), this.outcome, this.changedNoticeId);
  }
}
