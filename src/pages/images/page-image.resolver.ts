import { Field, InputType, Int, ObjectType, Resolver } from 'type-graphql';
import { Bytes } from '../../core/scalars.js';
import { IdArg, InjectWriter, InputArg, WriteMutation } from '../../graphql/field-decorators.js';
import { PageChangePayload } from '../page-change.payload.js';
import type { Writer } from '../../records/writer.js';
import { uploadImage } from './page-image.service.js';

@InputType({ description: 'An image for the texts of a page.' })
class UploadImageInput {
  @Field(() => Bytes, {
    description:
      'A PNG, JPEG, GIF or WebP of up to 2 MB and 4,096 × 4,096 pixels. It is stored as it is, with its EXIF: remove ' +
      'what readers must not know, as the console does.',
  })
  data!: Buffer;
}

@ObjectType({ description: 'An uploaded image.' })
class UploadImagePayload extends PageChangePayload {
  @Field(() => String, { description: 'Its URL on the public page, which never changes.' })
  url!: string;

  @Field(() => String, {
    description: 'What to write into a text to show it: `![](<url>)`. Put a description between the brackets.',
  })
  markdown!: string;

  @Field(() => Int, { description: 'In pixels.' })
  width!: number;

  @Field(() => Int, { description: 'In pixels.' })
  height!: number;
}

@Resolver()
export class PageImageResolver {
  @WriteMutation(
    () => UploadImagePayload,
    'drafter',
    'Uploads an image for the texts of a page, up to 500 of them. The same image again has the same URL. A text ' +
      'shows images of its own page alone, and others by their description. It is deleted with its page.',
  )
  async uploadImage(
    @IdArg('pageId') pageId: string,
    @InputArg(() => UploadImageInput, 'The image.') input: UploadImageInput,
    @InjectWriter() write: Writer,
  ) {
    return { pageId, ...(await uploadImage(write, pageId, input.data)) };
  }
}
