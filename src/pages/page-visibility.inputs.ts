import { Field, InputType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { PageVisibilities, type PageVisibility } from './page-visibility.js';

@InputType({ description: 'Who sees the public page.' })
export class SetPageVisibilityInput {
  @Field(() => PageVisibilities as never, { description: 'Who.' })
  visibility!: PageVisibility;

  @NullableField(
    () => String,
    'For PASSWORD: 8 to 255 characters. Another one ends the access of all visitors. Absent: it stays as it is.',
  )
  password?: string | null;

  @NullableField(
    () => [String],
    'For EMAIL_DOMAIN: 1 to 50 domains, such as `example.com`; subdomains do not count. Absent: they stay as they ' +
      'are.',
  )
  emailDomains?: string[] | null;
}
