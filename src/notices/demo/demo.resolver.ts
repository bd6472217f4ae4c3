import { ObjectType, Resolver } from 'type-graphql';
import { IdArg, InjectWriter, WriteMutation } from '../../graphql/field-decorators.js';
import { PageChangePayload } from '../../pages/page-change.payload.js';
import type { Writer } from '../../records/writer.js';
import { createDemoData, deleteDemoData } from './demo.service.js';

@ObjectType({ description: 'The page whose demonstration data was created or deleted.' })
class DemoDataPayload extends PageChangePayload {}

@Resolver()
export class DemoResolver {
  @WriteMutation(
    () => DemoDataPayload,
    'owner',
    'Adds components, notices of the last weeks and templates to a page, to look around. Nobody is notified. ' +
      'CONFLICT where the page has them already.',
    { isForConsole: true },
  )
  async createDemoData(@IdArg('pageId') pageId: string, @InjectWriter() write: Writer) {
    await createDemoData(write, pageId, Date.now());
    return new DemoDataPayload(pageId);
  }

  @WriteMutation(
    () => DemoDataPayload,
    'owner',
    'Deletes what `createDemoData` created, and nothing else: what you added below its components moves up.',
    { isForConsole: true },
  )
  async deleteDemoData(@IdArg('pageId') pageId: string, @InjectWriter() write: Writer) {
    await deleteDemoData(write, pageId);
    return new DemoDataPayload(pageId);
  }
}
