import { Field, ID, InputType } from 'type-graphql';
import { registerEnum } from '../graphql/enum.js';
import type { AlertAction } from './alert.rules.js';

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
  @Field(() => String, {
    nullable: true,
    description: 'The label whose value is compared. Null: the service that the alert is about.',
  })
  label?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What the value must be, case-sensitively; `*` stands for any characters. Null: every alert.',
  })
  value?: string | null;

  @Field(() => [ID], { nullable: true, description: 'The components that the notice names. Null: none.' })
  componentIds?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The template of the incident; what it leaves open comes from the alert. Required to PUBLISH.',
  })
  templateId?: string | null;

  @Field(() => AlertActions as never, { nullable: true, description: 'What is made of the alert. Null: DRAFT.' })
  action?: AlertAction | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the notice is resolved and subscribers are notified, without a draft, when the alerts are over. Null: ' +
      'no, a draft proposes it.',
  })
  shouldResolve?: boolean | null;
}

@InputType({ description: 'Changes to a source. Omitted fields keep their values.' })
export class UpdateAlertSourceInput {
  @Field(() => String, { nullable: true, description: 'Up to 100 characters. Cannot be blank.' })
  name?: string | null;

  @Field(() => [AlertRuleInput], { nullable: true, description: 'All rules, in order, up to 100. Null: none.' })
  rules?: AlertRuleInput[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret by which the sender signs its requests, of 16 to 200 characters. It cannot be read back. Null: ' +
      'requests need no signature.',
  })
  secret?: string | null;
}

@InputType({ description: 'A new source of alerts.' })
export class CreateAlertSourceInput extends UpdateAlertSourceInput {
  @Field(() => String, { description: 'Up to 100 characters. Cannot be blank.' })
  declare name: string;
}
