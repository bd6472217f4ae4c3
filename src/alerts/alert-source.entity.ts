import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Timestamped } from '../core/timestamped.entity.js';
import { StoredInputField } from '../graphql/stored-input.js';
import { Component } from '../components/component.entity.js';
import { NoticeTemplate } from '../notices/templates/template.entity.js';
import { BelongsToPage } from '../pages/belongs-to-page.entity.js';
import type { Page } from '../pages/page.entity.js';
import { ComputedField } from '../records/computed-field.js';
import { defineRules } from '../records/record-rules.js';
import { AlertFieldsInput, AlertRuleInput } from './alert-source.inputs.js';
import type { AlertRule } from './alert.rules.js';
import type { AlertFields } from './formats/custom.js';

@ObjectType({ implements: Timestamped, description: 'An address of a page that takes alerts of other systems.' })
@Unique({ name: 'alert_source_hash_unique', properties: ['hash'] })
@Index({ name: 'alert_source_page_id_id_index', properties: ['page', 'id'] })
@Entity({ tableName: 'alert_source' })
export class AlertSource extends Timestamped {
  static readonly rules = defineRules<AlertSource>({
    recordName: 'alert source',
    isPageContent: true,
    secrets: ['hash', 'secret'],
  });

  @Field(() => ID, { description: 'Unique among all sources of alerts.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @BelongsToPage('alertSources', 'publisher', () => AlertSource, 'The sources of alerts, in the order of creation.')
  page!: Page;

  @Field(() => String, { description: 'Its name, which drafts of its alerts name as their author.' })
  @Property({ type: 'text' })
  name!: string;

  @StoredInputField(() => AlertRuleInput, {
    description: 'The rules, in order. None: every alert is a draft.',
    records: { component: () => Component, template: () => NoticeTemplate },
    isList: true,
  })
  @Property({ type: 'json' })
  rules: AlertRule[] = [];

  @StoredInputField(() => AlertFieldsInput, {
    nullable: true,
    description:
      'Where its requests have what an alert needs. Null: the format is recognized by the fields of the body.',
  })
  @Property({ type: 'json', nullable: true })
  fields: AlertFields | null = null;

  /** SHA-256, hexadecimal, of the token in its address, which has 256 random bits. */
  @Property({ type: 'text' })
  hash!: string;

  @Field(() => String, { description: 'The last four characters of its address, which is shown only once.' })
  @Property({ type: 'text' })
  lastFour!: string;

  /** Of signatures. Encrypted with SECRETS_KEY: see source-secret.ts. */
  @Property({ type: 'text', nullable: true })
  secret: string | null = null;

  @Field(() => Boolean, { description: 'Whether its requests must be signed by a secret.' })
  @ComputedField<AlertSource>(({ secret }) => `${secret} is not null`, 'boolean')
  hasSecret!: boolean;
}
