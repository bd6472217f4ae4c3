import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, Info, ObjectType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import type { Context } from '../../graphql/context.js';
import { HasOwnMaximum } from '../../graphql/count-returned.js';
import { RequiresAccess } from '../../auth/access.js';
import { Component } from '../../components/component.entity.js';
import { ComponentStates } from '../../components/component.enums.js';
import type { ComponentState } from '../../components/component.states.js';
import { ReferenceField } from '../../graphql/entity-field-decorators.js';
import { Notice } from '../../notices/notice.entity.js';
import { NoticeStates } from '../../notices/notice.enums.js';
import type { NoticeState } from '../../notices/notice.states.js';
import { ChannelAudience, ExcludedAudience } from '../audience.fields.js';
import { textChannels } from '../channels/registry.js';
import type { MessageSnapshot, PublicationEvent } from '../messages/message-snapshot.js';
import { PublicationEvents } from '../publication.entity.js';
import { hashPreview } from '../preview-hash.js';
import { RenderedMessages } from '../rendered-messages.fields.js';
import { Warning } from '../warning.fields.js';
import { collectSelection, type Selection } from '../../records/selection.js';
import type { PreviewedChange, SelectedParts } from './preview.service.js';

@ObjectType({ description: 'A component whose state would change.' })
class ComponentStateChange {
  pageId!: string;
  id!: number;

  @RequiresAccess('page')
  @NullableField(() => Component, 'The component as it is now. Null if it was deleted meanwhile.')
  async component(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo): Promise<unknown> {
    const [component] = await read.batches.load(Component, [this.id], info);
    return component ?? null;
  }

  @Field(() => ComponentStates, { description: 'Its current state.' })
  before!: ComponentState;

  @Field(() => ComponentStates, { description: 'Its state after the change.' })
  after!: ComponentState;
}

@ObjectType({ description: 'The messages that would be sent. Each is rendered only if it is selected.' })
class PreviewMessages extends RenderedMessages {
  constructor(
    snapshot: MessageSnapshot,
    private readonly renderedPage: string,
  ) {
    super(snapshot);
  }

  @HasOwnMaximum()
  @Field(() => String, {
    description: 'The public page after the change, in the default theme: a complete HTML document.',
  })
  page(@Ctx() { read }: Context): string {
    read.size.addDocument(this.renderedPage);
    return this.renderedPage;
  }
}

for (const { name: channel, enumName, preview } of textChannels) {
  const name = enumName.toLowerCase();
  const descriptor = {
    value(this: PreviewMessages) {
      return this.text(channel);
    },
  };
  Object.defineProperty(PreviewMessages.prototype, name, descriptor);
  Field(() => String, { description: preview.description })(PreviewMessages.prototype, name, descriptor);
}

@ObjectType({ description: 'The publication that a change would cause. What is not selected is not computed.' })
export class PublicationPreview {
  constructor(private readonly change: PreviewedChange) {
    const { publication, page } = change;
    this.messages = publication && new PreviewMessages(publication.message_snapshot, page);
  }

  @NullableField(() => PublicationEvents, 'The event; null if nothing changes.')
  get event(): PublicationEvent | null {
    return this.change.publication?.message_snapshot.event ?? null;
  }

  @NullableField(() => String, 'The text, as Markdown; null if nothing changes.')
  get text(): string | null {
    return this.change.publication?.message_snapshot.text ?? null;
  }

  @NullableField(
    () => String,
    'Identifies the text, the states, the audience and the appearance of the publication (brand, addresses): four ' +
      'parts, in this order, joined by hyphens. ' +
      'As `previewHash` of the mutation it makes sure that exactly this is published. Null if nothing changes.',
  )
  get hash(): string | null {
    const { publication, audiences, components } = this.change;
    return publication && hashPreview({ publication, audiences, stateChanges: components });
  }

  @Field(() => [ChannelAudience], { description: 'The recipients, by channel.' })
  get audience(): ChannelAudience[] {
    return this.audiences.filter(({ reason }) => reason === null);
  }

  @Field(() => [ExcludedAudience], { description: 'Recipients who would not be notified, by channel and reason.' })
  get excluded(): ExcludedAudience[] {
    return this.audiences.filter((audience): audience is ExcludedAudience => audience.reason !== null);
  }

  private get audiences() {
    const { pageId, audiences } = this.change;
    return audiences.map(audience => ({ ...audience, pageId }));
  }

  @NullableField(
    () => NoticeStates,
    'The state of the notice after the change; null for announcements, and if nothing changes.',
  )
  get noticeState(): NoticeState | null {
    return this.change.publication?.message_snapshot.notice.state ?? null;
  }

  @Field(() => ComponentStates, { description: 'The state of the page after the change.' })
  get pageState(): string {
    return this.change.pageState;
  }

  @Field(() => [ComponentStateChange], { description: 'The components whose state would change, by position.' })
  get components(): Omit<ComponentStateChange, 'component'>[] {
    const { pageId, components } = this.change;
    return components.map(change => ({ ...change, pageId }));
  }

  @Field(() => [Warning], { description: 'What the author may have overlooked.' })
  get warnings(): Warning[] {
    return this.change.warnings;
  }

  get overlappingNoticeIds(): number[] {
    return this.change.overlappingNotices.map(({ id }) => id);
  }

  @ReferenceField(() => Notice, 'overlappingNoticeIds', {
    typicalSize: 5,
    description: 'With the warning OVERLAPPING_NOTICE: up to five open notices, latest first.',
  })
  overlappingNotices?: Notice[];

  @NullableField(() => PreviewMessages, 'The rendered messages; null if nothing changes.')
  readonly messages: PreviewMessages | null;
}

/** Finds the selected parts first, since all parts are read in one transaction. */
export function findSelectedParts(info: GraphQLResolveInfo): SelectedParts {
  const preview = listFields(collectSelection(info, info.returnType, info.fieldNodes));
  const messages = preview.filter(({ name }) => name === 'messages').flatMap(({ selection }) => listFields(selection!));
  const isSelected = (...names: string[]) => preview.some(({ name }) => names.includes(name));
  return {
    audiences: isSelected('audience', 'excluded', 'hash'),
    warnings: isSelected('warnings', 'overlappingNotices'),
    page: messages.some(({ name }) => name === 'page'),
  };
}

const listFields = ({ fieldsByType }: Selection) => [...fieldsByType.values()].flat();
