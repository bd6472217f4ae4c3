import { Ctx, Field, InputType, Resolver } from 'type-graphql';
import { Bytes } from '../../core/scalars.js';
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
import { ThemePayload } from '../page-settings.payload.js';
import type { FieldReader } from '../../records/field-reader.js';
import type { Writer } from '../../records/writer.js';
import { Theme } from './theme.entity.js';
import { deleteTheme, setTheme } from './theme.service.js';

@InputType({ description: 'The theme of a page.' })
class SetThemeInput {
  @Field(() => Bytes, { description: 'A ZIP file that contains `status-page.liquid`. Over /v1 up to 10 MB.' })
  zip!: Buffer;
}

@Resolver()
export class ThemeResolver {
  @ReadQuery(() => Theme, 'viewer', 'The theme of a page.')
  theme(@IdArg('pageId') pageId: string, @InjectReader() read: FieldReader) {
    return read.one([[Page, pageId], [Theme]]);
  }

  @WriteMutation(
    () => ThemePayload,
    'owner',
    'Uploads a theme for a page. If it is rejected, the current theme stays.',
    { slow: true },
  )
  async setTheme(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InputArg(() => SetThemeInput) input: SetThemeInput,
    @Ctx() { write, services }: Context,
  ) {
    await setTheme(write, services, pageId, versions, input.zip);
    return new ThemePayload(pageId);
  }

  @WriteMutation(() => ThemePayload, 'owner', 'Deletes the theme of a page. The page then uses the standard theme.')
  async deleteTheme(
    @IdArg('pageId') pageId: string,
    @IfVersionArg() versions: number[] | undefined,
    @InjectWriter() write: Writer,
  ) {
    await deleteTheme(write, pageId, versions);
    return new ThemePayload(pageId);
  }
}
