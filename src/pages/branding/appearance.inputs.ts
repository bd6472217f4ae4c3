import { Field, InputType } from 'type-graphql';
import { Bytes } from '../../core/scalars.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { registerEnum } from '../../graphql/enum.js';
import { type Situation, situations } from './situation.js';
import { UpdateBrandInput } from './brand.inputs.js';

const PageSituation = registerEnum('PageSituation', situations, 'What is the case on a page that is previewed.');

@InputType({ description: 'How a page would look.' })
export class PreviewAppearanceInput {
  @Field(() => PageSituation as never, { description: 'What is the case on it.' })
  situation!: Situation;

  @NullableField(() => UpdateBrandInput, 'Colours in place of the stored ones.')
  brand?: UpdateBrandInput | null;

  @NullableField(() => Bytes, 'The ZIP of a theme. Absent: the theme of the page. Null: the standard theme.')
  theme?: Buffer | null;
}
