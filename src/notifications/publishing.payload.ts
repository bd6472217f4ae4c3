import { Field, ObjectType } from 'type-graphql';
import { InjectReader, ReadField } from '../graphql/field-decorators.js';
import { Publication } from './publication.entity.js';
import { PublicationWarning } from './publication-audience.entity.js';
import type { PublicationOutcome, UnpublishedReason } from './publish.service.js';
import { Warning } from './warning.fields.js';
import { PageChangePayload } from '../pages/page-change.payload.js';
import type { FieldReader } from '../records/field-reader.js';

const unpublishedReasons: Record<UnpublishedReason, Warning> = {
  unpublished: { code: 'not_published', message: 'Nobody was notified, since `shouldPublish` was not true.' },
  unchanged: { code: 'unchanged', message: 'Nothing changed, so nobody was notified.' },
  corrected: { code: 'not_published', message: 'Nobody was notified, since a changed update is not sent again.' },
};

/** The payload of a write that can notify: it says who was notified, or why nobody was. */
@ObjectType()
export abstract class PublishingPayload extends PageChangePayload {
  constructor(
    pageId: string,
    private readonly outcome: PublicationOutcome,
  ) {
    super(pageId);
  }

  @ReadField(() => Publication, 'The publication that the write caused. Null if there is none: `warnings` says why.', {
    nullable: true,
  })
  publication(@InjectReader() read: FieldReader) {
    return 'publicationId' in this.outcome ? read.one([[Publication, this.outcome.publicationId]]) : null;
  }

  @Field(() => [Warning], { description: 'Why nobody was notified. Empty if somebody was.' })
  warnings(@InjectReader() read: FieldReader): Promise<unknown> | Warning[] {
    const { outcome } = this;
    return 'publicationId' in outcome
      ? read.byIds(PublicationWarning, [outcome.publicationId])
      : [unpublishedReasons[outcome.reason]];
  }
}
