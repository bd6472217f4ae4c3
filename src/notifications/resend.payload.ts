import { Field, Int, ObjectType } from 'type-graphql';
import { InjectReader, ReadField } from '../graphql/field-decorators.js';
import { PageChangePayload } from '../pages/page-change.payload.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import type { FieldReader } from '../records/field-reader.js';
import { ChannelAudience, ExcludedAudience } from './audience.fields.js';
import { Channels } from './channels/channel.enums.js';
import type { ChannelName } from './channels/registry.js';
import type { Resend, ResentPublication } from './delivery/resend.service.js';
import { Publication } from './publication.entity.js';
import { RenderedMessages } from './rendered-messages.fields.js';

@ObjectType({ description: 'The recipients on a channel who are sent messages again.' })
class ResendAudience extends ChannelAudience {
  @Field(() => Int, { description: 'The number of recipients. One can be sent messages of several notices.' })
  recipientCount!: number;
}

@ObjectType({ description: 'A publication whose messages are sent again.' })
class PublicationResend extends RenderedMessages {
  constructor(
    private readonly pageId: string,
    private readonly resent: ResentPublication,
  ) {
    super(resent.snapshot);
  }

  @ReadField(() => Publication, 'The publication. Null: it has been deleted since.', { nullable: true })
  publication(@InjectReader() read: FieldReader) {
    return read.one(pageRecordPath(this.pageId, Publication, this.resent.id));
  }

  @Field(() => Int, { description: 'The number of messages.' })
  get count(): number {
    return this.resent.count;
  }

  @Field(() => [Channels], { description: 'The channels on which its messages are resent.' })
  get channels(): ChannelName[] {
    return this.resent.channels;
  }
}

@ObjectType({ description: 'The deliveries that were resent, or would be.' })
export class ResendDeliveriesPayload extends PageChangePayload {
  constructor(
    pageId: string,
    private readonly resend: Resend,
    private readonly isDryRun: boolean,
  ) {
    super(pageId);
    this.publications = resend.publications.map(each => new PublicationResend(pageId, each));
  }

  @Field(() => Boolean, { description: 'Whether nothing was written.' })
  get dryRun(): boolean {
    return this.isDryRun;
  }

  @Field(() => Int, {
    description:
      'The number of deliveries that are queued again, including those that are then skipped: see `excluded`. Those ' +
      'to suspended recipients do not count.',
  })
  get count(): number {
    return this.resend.count;
  }

  @Field(() => [ResendAudience], { description: 'The recipients, by channel.' })
  get audience(): ResendAudience[] {
    return this.audiences.filter(({ reason }) => reason === null);
  }

  @Field(() => [ExcludedAudience], {
    description:
      'Recipients to whom nothing is resent, by channel and reason. Deliveries to suspended recipients stay DEAD.',
  })
  get excluded(): ExcludedAudience[] {
    return this.audiences.filter(
      (audience): audience is typeof audience & ExcludedAudience => audience.reason !== null,
    );
  }

  private get audiences() {
    return this.resend.audiences.map(audience => ({ ...audience, pageId: this.pageId }));
  }

  @Field(() => [PublicationResend], {
    description: 'The publications whose messages are sent: up to five, latest first.',
  })
  readonly publications: PublicationResend[];
}
