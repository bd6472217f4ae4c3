import { Field, InputType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { ComponentStatuses } from './component.enums.js';
import type { ComponentStatus } from '../pages/public-page.js';

@InputType({ description: 'The status of a component, in place of the one that follows from notices.' })
export class SetComponentStatusInput {
  @Field(() => ComponentStatuses, {
    description: 'The status. PARTLY_AFFECTED and UNKNOWN, which follow from other records, are refused.',
  })
  status!: ComponentStatus;

  @NullableField(
    () => String,
    'A text that the page shows beside the component, of up to 255 characters. Null or blank: none.',
  )
  note?: string | null;
}
