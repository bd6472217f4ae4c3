import { Arg, Ctx, Field, ID, ObjectType, Resolver } from 'type-graphql';
import { Component } from '../components/component.entity.js';
import { Timestamp } from '../core/scalars.js';
import { NullableField } from '../graphql/nullable-field.js';
import type { Context } from '../graphql/context.js';
import { ComputedQuery, IdArg, ParentIdArg } from '../graphql/field-decorators.js';
import { ReferenceField } from '../graphql/entity-field-decorators.js';
import { createFilterType } from '../graphql/filters.js';
import { NoticeTemplate } from '../notices/templates/template.entity.js';
import { Page } from '../pages/page.entity.js';
import { createRecordResolver } from '../pages/page-record.resolver.js';
import { AlertGroup } from './alert-group.entity.js';
import { AlertPayload } from './alert-payload.entity.js';
import { AlertSource } from './alert-source.entity.js';
import { AlertActions, AlertFieldsInput, AlertRuleInput } from './alert-source.inputs.js';
import type { AlertAction } from './alert.rules.js';
import { type TriedAlert, tryRules } from './try-rules.js';

export const AlertPayloadResolver = createRecordResolver(AlertPayload, {
  access: 'publisher',
  one: 'A request that a source of alerts has received.',
  list: 'The requests that the sources of a page have received, latest first: 200 of each source at most, for 7 days.',
  filter: createFilterType(AlertPayload, { except: ['body'] }),
  orderBy: ['id', 'receivedAt'],
});

export const AlertGroupResolver = createRecordResolver(AlertGroup, {
  access: 'publisher',
  one: 'A group of alerts.',
  list: 'The groups of alerts that the sources of a page have received within 7 days, latest first.',
  filter: createFilterType(AlertGroup, { except: ['firingCount', 'draftId'] }),
  orderBy: ['id', 'firstReceivedAt', 'lastReceivedAt'],
});

@ObjectType({ description: 'A label of an alert.' })
class AlertTrialLabel {
  @Field(() => String, { description: 'Its name, the `label` of a rule.' })
  name!: string;

  @Field(() => String, { description: 'Its value, which the `value` of a rule is compared with.' })
  value!: string;
}

@ObjectType({ description: 'What would be made of an alert.' })
class AlertTrial implements TriedAlert {
  @Field(() => String, { description: 'Its title.' })
  title!: string;

  @NullableField(() => String, 'Its text, as Markdown. Null: it has none.')
  text!: string | null;

  @Field(() => String, { description: 'What it has in common with the alerts of the same draft.' })
  group!: string;

  @NullableField(() => Timestamp, 'When it began. Null: its sender does not say.')
  startsAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether it is not over.' })
  isFiring!: boolean;

  @NullableField(() => String, 'The service that it is about. Null: its sender does not say.')
  service!: string | null;

  @Field(() => [AlertTrialLabel], { description: 'Its labels.' })
  labels!: AlertTrialLabel[];

  @Field(() => AlertActions as never, { description: 'What would be made of it.' })
  action!: AlertAction;

  @Field(() => [ID], { description: 'The components that the notice would name.' })
  componentIds!: readonly string[];

  @NullableField(() => ID, 'The id of the template of the notice. Null: none.')
  templateId!: string | null;

  @ReferenceField(() => Component, 'componentIds', { typicalSize: 3, description: 'The components of `componentIds`.' })
  components?: Component[];

  @ReferenceField(() => NoticeTemplate, 'templateId', {
    description: 'The template of the notice. Null: none, or it is deleted.',
  })
  template?: NoticeTemplate | null;
}

@ObjectType({ description: 'What the rules would make of the latest request of a source. Nothing was stored.' })
class AlertTrials {
  constructor(alerts: TriedAlert[]) {
    this.alerts = alerts;
  }

  @Field(() => [AlertTrial], {
    description: 'What would be made of each of its alerts. Empty if there was no request in the last 7 days.',
  })
  alerts!: TriedAlert[];
}

/** What rules make of what an alert source has received. */
@Resolver()
export class AlertTrialResolver {
  @ComputedQuery(
    () => AlertTrials,
    'publisher',
    'What rules would make of the latest request of an alert source. It stores nothing.',
    100,
  )
  async tryAlertRules(
    @ParentIdArg('pageId', Page, AlertSource) pageId: string,
    @IdArg('id') id: string,
    @Arg('rules', () => [AlertRuleInput], { nullable: true, description: 'The rules. Null: those of the source.' })
    rules: AlertRuleInput[] | null | undefined,
    @Arg('fields', () => AlertFieldsInput, {
      nullable: true,
      description: 'The field paths. Null: those of the source. With paths, the latest request may be a refused one.',
    })
    fields: AlertFieldsInput | null | undefined,
    @Ctx() { write, returned, inOrder }: Context,
  ) {
    return inOrder.add(async () => {
      if (returned.isExceeded) returned.refuse();
      return new AlertTrials(await tryRules(write, pageId, id, { rules: rules ?? null, fields: fields ?? null }));
    });
  }
}
