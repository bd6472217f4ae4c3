import { Field, InputType } from 'type-graphql';

@InputType({ description: 'A list of people who have consented, as CSV.' })
export class ImportSubscribers {
  @Field(() => String, {
    description:
      'The first line names the columns: email, phone_number, first_name, last_name, nickname, company, tag_list, component_ids, kinds, consent_source, in any order; one of the first two must be there. By comma, semicolon or tab. 10,000 rows and, with the rest of the request, 1 MB at most.',
  })
  csv!: string;

  @Field(() => String, {
    description: 'Where they consented, of rows whose consent_source is blank or absent; 255 characters at most.',
  })
  consentSource!: string;

  @Field(() => Boolean, {
    defaultValue: true,
    description: 'Whether only to tell what would become of each row: nothing is written.',
  })
  dryRun!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to subscribe those again who have unsubscribed: only where they asked for it since.',
  })
  resubscribe!: boolean;
}
