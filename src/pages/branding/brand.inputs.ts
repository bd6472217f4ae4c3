import { Field, InputType } from 'type-graphql';
import { colourNames } from './brand.entity.js';
import { type ColourName, defaultColours } from './colour.js';

@InputType({
  description:
    'The colours to set: #rgb, #rgba, #rrggbb, #rrggbbaa, rgb() or rgba(), stored as written. Null sets the default.',
})
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the fields are declared in a loop below
export class UpdateBrandInput {}
export interface UpdateBrandInput extends Partial<Record<ColourName, string | null>> {}

for (const name of colourNames)
  Field(() => String, { nullable: true, description: `Default: ${defaultColours[name]}.` })(
    UpdateBrandInput.prototype,
    name,
  );
