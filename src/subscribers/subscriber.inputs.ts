import { Field, ID, InputType } from 'type-graphql';
import { NoticeTypes } from '../notices/notice.entity.js';
import type { NoticeType } from '../notices/notice.states.js';

@InputType({
  description: 'What may be set of a subscriber. What is absent stays; one of `email` and `phoneNumber` must be set.',
})
export class UpdateSubscriber {
  @Field(() => String, { nullable: true, description: 'Unique in its page, whatever the case.' })
  email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'With international country code; spaces, dashes and brackets are dropped. Unique in its page.',
  })
  phoneNumber?: string | null;

  @Field(() => String, { nullable: true, description: '255 characters at most; null clears it.' })
  firstName?: string | null;

  @Field(() => String, { nullable: true, description: '255 characters at most; null clears it.' })
  lastName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Used in place of the real name; 255 characters at most; null clears it.',
  })
  nickname?: string | null;

  @Field(() => String, { nullable: true, description: '255 characters at most; null clears it.' })
  company?: string | null;

  @Field(() => [String], { nullable: true, description: 'All tags; a text with commas is several. Null clears.' })
  tagList?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'The components to hear of, all of them; null and an empty list stand for everything.',
  })
  componentIds?: string[] | null;

  @Field(() => [NoticeTypes], {
    nullable: true,
    description: 'The types of notices to hear of; null and an empty list stand for all.',
  })
  kinds?: NoticeType[] | null;
}

@InputType({ description: 'A new subscriber, who is taken to have consented: no confirmation is asked for.' })
export class CreateSubscriber extends UpdateSubscriber {}
