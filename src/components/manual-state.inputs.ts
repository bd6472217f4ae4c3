import { Field, InputType } from 'type-graphql';
import { ManualComponentStates } from './manual-state.entity.js';
import type { ManualComponentState } from './manual-state.rules.js';

@InputType({ description: 'The state of a component, in place of the one that follows from notices.' })
export class SetComponentStateInput {
  @Field(() => ManualComponentStates, { description: 'The state.' })
  state!: ManualComponentState;

  @Field(() => String, {
    nullable: true,
    description: 'A text that the page shows beside the component, of up to 255 characters. Null or blank: none.',
  })
  note?: string | null;
}
