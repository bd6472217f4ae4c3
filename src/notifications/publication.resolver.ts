import { Arg, Ctx, Extensions, Field, Int, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import {
  IdArg,
  InjectReader,
  InjectWriter,
  ParentIdArg,
  ReadField,
  WriteMutation,
} from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { PageChangePayload } from '../pages/page-change.payload.js';
import { createRecordPayload } from '../pages/page-change.payload.js';
import { createRecordResolver } from '../pages/page-record.resolver.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import { Delivery } from './delivery/delivery.entity.js';
import { Publication } from './publication.entity.js';
import { ResendDeliveriesPayload } from './resend.payload.js';
import { DeliveryFilter, PublicationFilter } from './publication.filter.js';
import { resendDeliveries, resendDelivery } from './delivery/resend.service.js';
import { type StoppedPublication, stopPublication } from './delivery/stop.service.js';
import type { Filter } from '../records/filter-sql.js';
import type { FieldReader } from '../records/field-reader.js';
import type { Writer } from '../records/writer.js';

@ObjectType({ description: 'The delivery that was resent.' })
class DeliveryPayload extends createRecordPayload(Delivery, 'Its current state.') {}

@ObjectType({ description: 'The publication that was stopped. No message of it is sent after this answer.' })
class StopPublicationPayload extends PageChangePayload {
  constructor(private readonly stopped: StoppedPublication) {
    super(stopped.pageId);
  }

  @Field(() => Int, { description: 'The number of messages that had been sent.' })
  get sentCount(): number {
    return this.stopped.sentCount;
  }

  @Field(() => Int, {
    description:
      'The number of messages that a server has not answered yet after 10 seconds; they may have been sent. Usually 0.',
  })
  get sendingCount(): number {
    return this.stopped.sendingCount;
  }

  @ReadField(() => Publication, 'The publication as it is now.')
  publication(@InjectReader() read: FieldReader) {
    return read.one(pageRecordPath(this.pageId, Publication, this.stopped.id));
  }
}

const PublicationRecordResolver = createRecordResolver(Publication, {
  access: 'viewer',
  one: 'A publication.',
  list: 'The publications of a page, newest first.',
  filter: PublicationFilter,
  orderBy: ['id', 'createdAt'],
});

@Resolver()
export class PublicationResolver extends PublicationRecordResolver {
  @WriteMutation(
    () => StopPublicationPayload,
    'publisher',
    'Stops the messages of a publication that have not been sent: they are skipped. The notice stays as it is.',
    { waits: true, urgent: true },
  )
  async stopPublication(
    @ParentIdArg('pageId', Page, Publication) pageId: string,
    @IdArg('id') id: string,
    @InjectWriter() write: Writer,
  ) {
    return new StopPublicationPayload(await stopPublication(write, pageId, id));
  }
}

const DeliveryRecordResolver = createRecordResolver(Delivery, {
  access: 'recipients',
  one: 'A delivery.',
  list: 'The deliveries of a page, newest first. Filter by `address` for one recipient, by `state` for failures.',
  listName: 'deliveries',
  filter: DeliveryFilter,
  orderBy: ['id', 'createdAt', 'nextAttemptAt'],
});

@Resolver()
export class DeliveryResolver extends DeliveryRecordResolver {
  @WriteMutation(
    () => DeliveryPayload,
    'publisher',
    'Resends a dead delivery. CONFLICT: its recipient is suspended, or it is not dead.',
  )
  async resendDelivery(
    @ParentIdArg('pageId', Page, Delivery) pageId: string,
    @IdArg('id') id: string,
    @InjectWriter() write: Writer,
  ) {
    return new DeliveryPayload(pageId, await resendDelivery(write, pageId, id));
  }

  @WriteMutation(
    () => ResendDeliveriesPayload,
    'publisher',
    'Resends the dead deliveries of a page; with a filter, those that match it. Costs as much as 20,000 records.',
    { slow: true },
  )
  @Extensions({ cost: 20_000 })
  async resendDeliveries(
    @IdArg('pageId') pageId: string,
    @Arg('filter', () => DeliveryFilter, {
      nullable: true,
      description: 'Selects deliveries; null: all dead ones. Those to suspended recipients stay DEAD.',
    })
    filter: Filter | null | undefined,
    @Arg('dryRun', () => Boolean, {
      defaultValue: false,
      description: 'Whether to count and to render without sending anything.',
    })
    isDryRun: boolean,
    @Arg('expectedCount', () => Int, {
      nullable: true,
      description: 'The `count` that a dry run showed: another one is refused with PRECONDITION_FAILED. Null: any.',
    })
    expectedCount: number | null | undefined,
    @Ctx() { write, read }: Context,
  ) {
    const resend = await resendDeliveries(write, read.options, pageId, filter, { isDryRun, expectedCount });
    return new ResendDeliveriesPayload(pageId, resend, isDryRun);
  }
}
