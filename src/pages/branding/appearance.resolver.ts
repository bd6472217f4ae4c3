import { Ctx, ObjectType, Resolver } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import type { Context } from '../../graphql/context.js';
import { ComputedQuery, IdArg, InputArg } from '../../graphql/field-decorators.js';
import { PreviewAppearanceInput } from './appearance.inputs.js';
import { previewAppearance } from './appearance.service.js';

@ObjectType({ description: 'How a page would look.' })
class AppearancePreview {
  @NullableField(
    () => String,
    'The front page as a document, for a frame: the assets of a theme are in it, up to 1 MB. Null if the theme ' +
      'fails.',
  )
  html?: string;

  @NullableField(() => String, 'Why the theme fails; null if it does not.')
  failure?: string;
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
  previewAppearance(
    @IdArg('pageId') pageId: string,
    @InputArg(() => PreviewAppearanceInput, 'The appearance.') input: PreviewAppearanceInput,
    @Ctx() { write, services }: Context,
  ) {
    return previewAppearance(write, services.renderAppearance, pageId, input);
  }
}
