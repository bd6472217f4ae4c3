import { InputType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { Bytes } from '../../core/scalars.js';

@InputType({
  description:
    'The images to set, each an SVG, PNG or WebP of up to 256 kB. An SVG is sanitized: scripts, links and references ' +
    'to other files are removed. An omitted image stays; null removes it.',
})
export class SetBrandImagesInput {
  @NullableField(() => Bytes, 'The logo in the header of the page and of mail.')
  logo?: Buffer | null;

  @NullableField(
    () => Bytes,
    'The logo in the dark scheme. Without it, the header has the logo and its light colours there, too.',
  )
  logoDark?: Buffer | null;

  @NullableField(() => Bytes, 'The icon of browser tabs. Without it, the icon shows the state of the page.')
  favicon?: Buffer | null;
}
