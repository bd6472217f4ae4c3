import { ID, InputType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { GraphqlOnly } from '../graphql/one-interface.js';
import { NoticeTypes } from '../notices/notice.enums.js';
import type { NoticeType } from '../notices/notice.states.js';

@InputType({
  description: 'The fields of a subscriber. Absent fields stay unchanged; `email` or `phoneNumber` must be set.',
})
export class UpdateSubscriberInput {
  @NullableField(() => String, 'Unique on its page, ignoring case.')
  email?: string | null;

  @NullableField(() => String, 'With the country code; spaces, dashes and brackets are removed. Unique on its page.')
  phoneNumber?: string | null;

  @NullableField(() => String, '255 characters at most; null clears it.')
  firstName?: string | null;

  @NullableField(() => String, '255 characters at most; null clears it.')
  lastName?: string | null;

  @NullableField(() => String, 'Used in place of the real name; 255 characters at most; null clears it.')
  nickname?: string | null;

  @NullableField(() => String, '255 characters at most; null clears it.')
  company?: string | null;

  @NullableField(() => [String], 'All tags; an item with commas is several tags. Null clears them.')
  tagList?: string[] | null;

  @NullableField(() => [ID], 'All components to be notified about; null or an empty list for everything.')
  componentIds?: string[] | null;

  @GraphqlOnly()
  @NullableField(() => [NoticeTypes], 'The types of notices to be notified about; null or an empty list for all.')
  kinds?: NoticeType[] | null;
}

@InputType({ description: 'A new subscriber, who must have consented: no confirmation is requested.' })
export class CreateSubscriberInput extends UpdateSubscriberInput {}
