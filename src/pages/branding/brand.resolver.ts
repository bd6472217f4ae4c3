import { Ctx, Resolver } from 'type-graphql';
import type { Context } from '../../graphql/context.js';
import {
  IdArg,
  IfVersionArg,
  InjectReader,
  InjectWriter,
  InputArg,
  ReadQuery,
  WriteMutation,
} from '../../graphql/field-decorators.js';
import { Page } from '../page.entity.js';
import { BrandPayload } from '../page-settings.payload.js';
import type { FieldReader } from '../../records/field-reader.js';
import type { Writer } from '../../records/writer.js';
import { Brand } from './brand.entity.js';
import { SetBrandImagesInput } from './brand-image.inputs.js';
import { setBrandImages } from './brand-image.service.js';
import { UpdateBrandInput } from './brand.inputs.js';
import { resetBrand, updateBrand } from './brand.service.js';

@Resolver()
export class BrandResolver {
  @ReadQuery(() => Brand, 'public', 'Returns the colours and images of a page.')
  brand(@IdArg('pageId') pageId: string, @InjectReader() read: FieldReader) {
    return read.one([[Page, pageId], [Brand]]);
  }

  @WriteMutation(() => BrandPayload, 'owner', 'Updates the colours of a page.')
  async updateBrand(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => UpdateBrandInput) input: UpdateBrandInput,
    @InjectWriter() write: Writer,
  ) {
    await updateBrand(write, pageId, versions, input);
    return new BrandPayload(pageId);
  }

  @WriteMutation(() => BrandPayload, 'owner', 'Resets the colours of a page to the defaults. Its images stay.')
  async resetBrand(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    await resetBrand(write, pageId, versions);
    return new BrandPayload(pageId);
  }

  @WriteMutation(
    () => BrandPayload,
    'owner',
    'Uploads or removes the logo and the icon of a page. If one is refused, all stay as they were.',
    { slow: true },
  )
  async setBrandImages(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SetBrandImagesInput) input: SetBrandImagesInput,
    @Ctx() { write, services }: Context,
  ) {
    await setBrandImages(write, services.rasterize, pageId, versions, input);
    return new BrandPayload(pageId);
  }
}
