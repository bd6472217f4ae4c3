import { Field, InputType } from 'type-graphql';

@InputType({ description: 'A CSV list of people who have consented.' })
export class ImportSubscribersInput {
  @Field(() => String, {
    description:
      'Separated by commas, semicolons or tabs. The first line names the columns, in any order: email, phone_number, ' +
      'first_name, last_name, nickname, company, tag_list, component_ids, kinds, consent_source, consented_at. One ' +
      'of the first two is required. Columns may have the names of other products, such as `Email Address`. Rows of ' +
      'people who left the list, or never confirmed, are errors: a column such as `status`, `subscribed` or ' +
      '`unsubscribed_at` says so. At most 10,000 rows, and 1,048,576 characters.',
  })
  csv!: string;

  @Field(() => String, {
    description: 'The consent source of rows without a consent_source; 255 characters at most.',
  })
  consentSource!: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to subscribe people again who have unsubscribed: only if they have asked for it since.',
  })
  shouldResubscribe!: boolean;
}
