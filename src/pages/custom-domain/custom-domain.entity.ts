import type { Opt } from '@mikro-orm/core';
import { Entity, Index, OneToOne, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { ComputedField } from '../../records/computed-field.js';
import { quoteLiteral } from '../../core/sql-literal.js';
import { defineRules } from '../../records/record-rules.js';
import { InverseReference } from '../../records/inverse-relation.js';
import { Timestamped, TimestampColumn } from '../../core/timestamped.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { registerEnum } from '../../graphql/enum.js';
import { V1Only } from '../../graphql/one-interface.js';
import { Timestamp } from '../../core/scalars.js';
import { type Finding, findings, txtLabel, txtPrefix } from './dns-proof.js';
import { Page } from '../page.entity.js';
import { isClaimValidSql, pageHostSql } from '../public-url.js';

const DomainFinding = registerEnum('DomainFinding', findings, 'The result of a DNS check of a claimed domain.');

@ObjectType({
  implements: Timestamped,
  description: 'The claim of a page to a domain, with the DNS record that proves it.',
})
@Index({ name: 'custom_domain_next_check_at_index', properties: ['nextCheckAt'] })
@Unique({
  name: 'custom_domain_verified_unique',
  expression:
    'create unique index custom_domain_verified_unique on custom_domain (domain) where verified_at is not null',
})
@Entity({ tableName: 'custom_domain' })
export class CustomDomain extends Timestamped {
  static readonly rules = defineRules<CustomDomain>({ recordName: 'custom domain', visibleWhere: isClaimValidSql });

  @OneToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  @InverseReference(
    Page,
    'customDomain',
    RequiresAccess('viewer'),
    Field(() => CustomDomain, {
      nullable: true,
      description: 'The custom domain of the page. Null if there is none.',
    }),
  )
  page!: Page;

  @Field(() => ID, { description: 'The id of its page.' })
  @ComputedField<CustomDomain>(record => `${record.page}`, 'text')
  id!: string;

  @Field(() => String, { description: 'The domain: the name of the DNS record.' })
  @Property({ type: 'text' })
  domain!: string;

  @TimestampColumn()
  claimedAt!: Date;

  /** Part of the TXT record, so that a record left from an earlier claim proves nothing. */
  @Property({ type: 'text' })
  proofToken!: string;

  @Field(() => Boolean, {
    description: 'Whether DNS proves the claim: if so, the page is served at the domain, and links use it.',
  })
  @ComputedField<CustomDomain>(domain => `(${domain.verifiedAt} is not null)`, 'boolean')
  isVerified!: boolean;

  @NullableField(() => Timestamp, 'When a DNS check first proved the claim; null while it is not verified.')
  @TimestampColumn({ nullable: true })
  verifiedAt: Date | null = null;

  @NullableField(
    () => Timestamp,
    'Since when the proof of a verified domain has been missing from DNS; after 7 days it is no longer verified. ' +
      'Null if it is not missing.',
  )
  @TimestampColumn({ nullable: true })
  missingSince: Date | null = null;

  @Field(() => Timestamp, { description: 'When the next automatic check is due.' })
  @TimestampColumn()
  nextCheckAt!: Date;

  @NullableField(() => Timestamp, 'When DNS was last checked; null before the first check.')
  @TimestampColumn({ nullable: true })
  checkedAt: Date | null = null;

  @NullableField(() => DomainFinding, 'The result of the last check; null before the first check.')
  @Property({ type: 'text', nullable: true })
  finding: Finding | null = null;

  @NullableField(
    () => String,
    'Which records the last check looked for and found, in English sentences; null before the first check.',
  )
  @Property({ type: 'text', nullable: true })
  findingText: string | null = null;

  @Field(() => [String], { description: 'The CNAME chain from the domain that the last check found, in order.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  cnamesFound: Opt<string[]> = [];

  @Field(() => [String], { description: 'The first ten TXT records that the last check found at `txtName`.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  textsFound: Opt<string[]> = [];

  @V1Only()
  @Field(() => String, { description: 'The type of DNS record to create: CNAME.' })
  @ComputedField<CustomDomain>(() => `'CNAME'`, 'text')
  type!: string;

  @Field(() => String, { description: 'The name that its CNAME record must point to.' })
  @ComputedField<CustomDomain>(domain => pageHostSql(domain.page), 'text')
  cnameTarget!: string;

  @Field(() => String, { description: 'The name of the TXT record that proves the claim instead of the CNAME.' })
  @ComputedField<CustomDomain>(domain => `${quoteLiteral(`${txtLabel}.`)} || ${domain.domain}`, 'text')
  txtName!: string;

  @Field(() => String, { description: 'The value of the TXT record.' })
  @ComputedField<CustomDomain>(
    domain => `${quoteLiteral(txtPrefix)} || ${domain.page} || '.' || ${domain.proofToken}`,
    'text',
  )
  txtValue!: string;
}
