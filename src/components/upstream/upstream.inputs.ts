import { Field, InputType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { UpstreamFormats } from './upstream.entity.js';
import type { UpstreamFormat } from './formats.js';

@InputType({ description: 'A status page to read.' })
export class ReadUpstreamInput {
  @Field(() => String, { description: 'Its address, such as `https://status.example.com`.' })
  url!: string;

  @NullableField(() => UpstreamFormats, 'The format in which it is read. Null or absent: the first that it has.')
  format?: UpstreamFormat | null;
}

@InputType({ description: 'The component of another status page to follow.' })
export class FollowUpstreamInput extends ReadUpstreamInput {
  @Field(() => String, { description: 'The id of its component, or a name that no other of its components has.' })
  component!: string;
}
