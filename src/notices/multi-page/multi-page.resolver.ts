import { Arg, Field, ID, InputType, Int, ObjectType, Resolver } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { InjectWriter, WriteMutation } from '../../graphql/field-decorators.js';
import { NoticePayload } from '../notice.payload.js';
import { NoticeChangeInput } from '../../notifications/preview/preview.inputs.js';
import type { Writer } from '../../records/writer.js';
import { publishOnPages } from './multi-page.service.js';

@InputType({ description: 'A change on one of several pages.' })
class PageChangeInput {
  @Field(() => ID, { description: 'The page.' })
  pageId!: string;

  @NullableField(() => ID, 'The notice to change. Null: a new one.')
  noticeId?: string | null;

  @Field(() => NoticeChangeInput, { description: 'The change: exactly one of its fields.' })
  change!: NoticeChangeInput;

  @NullableField(
    () => String,
    'The `hash` of its `previewPublication`, as `previewHash` of the other mutations. Null: not checked.',
  )
  previewHash?: string | null;

  @NullableField(() => [Int], 'Write only if the notice is at this version. Null: any. A new notice has none.')
  ifVersion?: number[] | null;

  @NullableField(
    () => ID,
    'The draft of the page that the change was written from. It is deleted, and alerts that it was made of belong to ' +
      'the notice. Once somebody else has published it, it does not exist: nothing is written, and the error is ' +
      'NOT_FOUND.',
  )
  draftId?: string | null;
}

@ObjectType({ description: 'What was written on each page.' })
class PublishOnPagesPayload {
  @Field(() => [NoticePayload], { description: 'One for each change, in the order of the input.' })
  results!: NoticePayload[];
}

@Resolver()
export class MultiPageResolver {
  @WriteMutation(
    () => PublishOnPagesPayload,
    'publisher',
    'Publishes on several pages: on all of them, or on none if one change is refused. With an Idempotency-Key all of ' +
      'it is ' +
      'done once. To preview, ask for `previewPublication` of each page in one document.',
    { urgent: true },
  )
  async publishOnPages(
    @Arg('input', () => [PageChangeInput], { description: 'The changes, 1 to 20; at most 2 of the same page.' })
    input: PageChangeInput[],
    @InjectWriter() write: Writer,
  ) {
    const changes = input.map(({ change, ...rest }) => ({ ...rest, input: change }));
    return { results: (await publishOnPages(write, changes)).map(saved => new NoticePayload(saved)) };
  }
}
