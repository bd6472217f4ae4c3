import { Field, ID, InputType } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { registerEnum } from '../graphql/enum.js';
import type { AlertAction } from './alert.rules.js';
import type { AlertFields } from './formats/custom.js';

export const AlertActions = registerEnum(
  'AlertAction',
  {
    IGNORE: 'Nothing is made of the alert.',
    DRAFT: 'A draft is made, which a person publishes.',
    PUBLISH: 'An incident is published at once, with the text of the template and not with that of the alert.',
  } satisfies Record<AlertAction, string>,
  'What is made of alerts.',
  name => name,
);

@InputType({ description: 'Decides about the alerts that it selects. The first rule that selects an alert counts.' })
export class AlertRuleInput {
  @NullableField(() => String, 'The label whose value is compared. Null: the service that the alert is about.')
  label?: string | null;

  @NullableField(
    () => String,
    'What the value must be, case-sensitively; `*`, ten at most, stands for any characters. Null: every alert.',
  )
  value?: string | null;

  @NullableField(() => [ID], 'The components that the notice names. Null: none.')
  componentIds?: string[] | null;

  @NullableField(
    () => ID,
    'The template of the incident; what it leaves open comes from the alert. Required to PUBLISH.',
  )
  templateId?: string | null;

  @NullableField(() => AlertActions, 'What is made of the alert. Null: DRAFT.')
  action?: AlertAction | null;

  @NullableField(
    () => Boolean,
    'Whether the notice is resolved and subscribers are notified, without a draft, when the alerts are over. Null: ' +
      'no, a draft proposes it.',
  )
  shouldResolve?: boolean | null;
}

@InputType({ description: 'A label that rules compare.' })
class AlertLabelInput {
  @Field(() => String, { description: 'The name by which rules select it.' })
  name!: string;

  @Field(() => String, { description: 'The path of its value.' })
  path!: string;
}

const path = (description: string) => ({ nullable: true, description });

@InputType({
  description:
    'Where the body of a request has what an alert needs, as JSONPath (RFC 9535) without `..`, lists of selectors ' +
    'and functions. A path begins with `$`, the body, or with `@`, one alert of the list `alerts`. The first text or ' +
    'number that it finds counts.',
})
export class AlertFieldsInput implements Partial<Record<keyof AlertFields, unknown>> {
  @Field(() => String, path('The alerts of a body with several, such as `$.alerts[*]`. Null: it is one alert.'))
  alerts?: string | null;

  @Field(() => String, { description: 'The title, such as `$.alert.name`.' })
  title!: string;

  @Field(() => String, path('The text, as Markdown; several are joined as lines.'))
  text?: string | null;

  @Field(() => String, path('What says whether it fires. Null: each alert fires.'))
  state?: string | null;

  @Field(() => [String], path('The values of the state of alerts that fire. None: all but those of `resolvedStates`.'))
  firingStates?: string[] | null;

  @Field(() => [String], path('The values of the state of alerts that are over. Case does not matter.'))
  resolvedStates?: string[] | null;

  @Field(() => String, path('What is equal for the same trouble, also when it is over. Null: title and service.'))
  key?: string | null;

  @Field(() => String, path('What alerts of one draft have in common. Null, or nothing found: the key.'))
  group?: string | null;

  @Field(() => String, path('The service that the alert is about, which rules compare.'))
  service?: string | null;

  @Field(() => String, path('When it began: ISO 8601, or seconds or milliseconds since 1970.'))
  startsAt?: string | null;

  @Field(() => [AlertLabelInput], path('Up to 20 labels. Null: none.'))
  labels?: AlertLabelInput[] | null;
}

@InputType({ description: 'Changes to a source. Omitted fields keep their values.' })
export class UpdateAlertSourceInput {
  @NullableField(() => String, 'Up to 100 characters. Cannot be blank.')
  name?: string | null;

  @NullableField(() => [AlertRuleInput], 'All rules, in order, up to 100. Null: none.')
  rules?: AlertRuleInput[] | null;

  @NullableField(
    () => AlertFieldsInput,
    'How a body of an unknown format is read. Null: the format is recognized by the fields of the body.',
  )
  fields?: AlertFieldsInput | null;

  @NullableField(
    () => String,
    'The secret by which the sender signs its requests, of 16 to 200 characters. It cannot be read back. Null: ' +
      'requests need no signature.',
  )
  secret?: string | null;
}

@InputType({ description: 'A new source of alerts.' })
export class CreateAlertSourceInput extends UpdateAlertSourceInput {
  @Field(() => String, { description: 'Up to 100 characters. Cannot be blank.' })
  declare name: string;
}
