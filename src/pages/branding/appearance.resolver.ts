import { Ctx, ObjectType, Resolver } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import type { Context } from '../../graphql/context.js';
import { HasOwnMaximum } from '../../graphql/count-returned.js';
import { ComputedQuery, IdArg, InputArg } from '../../graphql/field-decorators.js';
import { PreviewAppearanceInput } from './appearance.inputs.js';
import { previewAppearance } from './appearance.service.js';

@ObjectType({ description: 'How a page would look.' })
class AppearancePreview {
  constructor(private readonly preview: Awaited<ReturnType<typeof previewAppearance>>) {}

  @HasOwnMaximum()
  @NullableField(
    () => String,
    'The front page as a document, for a frame: the assets of a theme are in it, up to 1 MB. Null if the theme ' +
      'fails.',
  )
  html(@Ctx() { read }: Context): string | null {
    const html = 'html' in this.preview ? this.preview.html : null;
    if (html !== null) read.size.addDocument(html);
    return html;
  }

  @NullableField(() => String, 'Why the theme fails; null if it does not.')
  get failure(): string | null {
    return 'failure' in this.preview ? this.preview.failure : null;
  }
}

@Resolver()
export class AppearanceResolver {
  @ComputedQuery(
    () => AppearancePreview,
    'owner',
    'Shows a page with other colours or another theme, in one of four situations. Nothing is stored.',
    10_000,
    { slow: true },
  )
  async previewAppearance(
    @IdArg('pageId') pageId: string,
    @InputArg(() => PreviewAppearanceInput, 'The appearance.') input: PreviewAppearanceInput,
    @Ctx() { write, services }: Context,
  ) {
    return new AppearancePreview(await previewAppearance(write, services, pageId, input));
  }
}
