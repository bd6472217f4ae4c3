import { Field, InputType } from 'type-graphql';
import { type ColourName, colourNames } from './brand.entity.js';
import { defaultColours } from './colour.js';

@InputType({
  description:
    'The colours to set: #rgb, #rgba, #rrggbb, #rrggbbaa, rgb() or rgba(), kept as they are written. Null sets the default.',
})
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: its fields are made in a loop below, which no class body can say
export class UpdateBrand {}
export interface UpdateBrand extends Partial<Record<ColourName, string | null>> {}

for (const name of colourNames)
  Field(() => String, { nullable: true, description: `Default: ${defaultColours[name]}.` })(
    UpdateBrand.prototype,
    name,
  );
