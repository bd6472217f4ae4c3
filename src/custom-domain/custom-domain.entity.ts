import type { Opt } from '@mikro-orm/core';
import { Entity, Index, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ComputedField } from '../records/computed-field.js';
import { quoteLiteral } from '../core/sql-literal.js';
import { Timestamped, TimestampColumn } from '../db/timestamped.entity.js';
import { registerEnum } from '../graphql/enum.js';
import { Timestamp } from '../graphql/scalars.js';
import { type Finding, findings, txtLabel, txtPrefix } from './dns-proof.js';
import { Page } from '../pages/page.entity.js';
import { isClaimValidSql, pageHostSql } from '../pages/public-url.js';

const DomainFinding = registerEnum('DomainFinding', findings, 'What a look at DNS found of a claimed domain.');

@ObjectType({
  implements: Timestamped,
  description: 'The claim of a page to a domain, as the DNS record that its owner is to create.',
})
@Entity({ tableName: 'custom_domain' })
// Only a verified claim is taken: an unverified one must not keep the owner of a domain out.
@Index({
  name: 'custom_domain_verified_unique',
  expression:
    'create unique index "custom_domain_verified_unique" on "custom_domain" ("domain") where verified_at is not null',
})
export class CustomDomain extends Timestamped {
  static readonly recordName = 'custom domain';

  @OneToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Field(() => ID, { description: 'The id of its page.' })
  @ComputedField<CustomDomain>(record => `${record.page}`, 'text')
  id!: string;

  @Property({ type: 'text' })
  domain!: string;

  @TimestampColumn()
  claimedAt!: Date;

  /** In the TXT record: one that was left behind by a claim of before proves nothing. */
  @Property({ type: 'text' })
  proofToken!: string;

  @Field(() => Boolean, {
    description: 'Whether DNS has proven the claim: the page is served there, and links name the domain.',
  })
  @ComputedField<CustomDomain>(domain => `(${domain.verifiedAt} is not null)`, 'boolean')
  verified!: boolean;

  @Field(() => Timestamp, {
    nullable: true,
    description: 'When DNS was first found to prove the claim; null while it is not verified.',
  })
  @TimestampColumn({ nullable: true })
  verifiedAt: Date | null = null;

  @Field(() => Timestamp, {
    nullable: true,
    description:
      'Since when DNS has said that the proof of a verified domain is gone; after 7 days the domain is no longer verified. Null while all is well.',
  })
  @TimestampColumn({ nullable: true })
  missingSince: Date | null = null;

  @Field(() => Timestamp, { description: 'When DNS is to be asked again without being told to.' })
  @Index()
  @TimestampColumn()
  nextCheckAt!: Date;

  @Field(() => Timestamp, { nullable: true, description: 'When DNS was last asked; null before the first time.' })
  @TimestampColumn({ nullable: true })
  checkedAt: Date | null = null;

  @Field(() => DomainFinding, {
    nullable: true,
    description: 'What was found when DNS was last asked; null before the first time.',
  })
  @Property({ type: 'text', nullable: true })
  finding: Finding | null = null;

  @Field(() => String, {
    nullable: true,
    description: 'What was looked for and what was found, in English sentences; null before the first time.',
  })
  @Property({ type: 'text', nullable: true })
  findingText: string | null = null;

  @Field(() => [String], { description: 'The names that CNAME records led to from the domain, in their order.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  cnamesFound: Opt<string[]> = [];

  @Field(() => [String], { description: 'The TXT records that were found at `txtName`, the first ten.' })
  @Property({ type: 'string[]', defaultRaw: "'{}'" })
  textsFound: Opt<string[]> = [];

  @Field(() => String, { description: 'The type of DNS record to create: CNAME.' })
  @ComputedField<CustomDomain>(() => `'CNAME'`, 'text')
  type!: string;

  @Field(() => String, { description: 'The name the DNS record points from: the domain.' })
  @ComputedField<CustomDomain>(domain => domain.domain, 'text')
  from!: string;

  @Field(() => String, { description: 'The name the DNS record points to.' })
  @ComputedField<CustomDomain>(domain => pageHostSql(domain.page), 'text')
  to!: string;

  @Field(() => String, { description: 'Where a TXT record proves the claim in place of the CNAME.' })
  @ComputedField<CustomDomain>(domain => `${quoteLiteral(`${txtLabel}.`)} || ${domain.domain}`, 'text')
  txtName!: string;

  @Field(() => String, { description: 'What the TXT record is to say.' })
  @ComputedField<CustomDomain>(
    domain => `${quoteLiteral(txtPrefix)} || ${domain.page} || '.' || ${domain.proofToken}`,
    'text',
  )
  txtValue!: string;

  static visibleWhere(domain: { verifiedAt: string; claimedAt: string }): string {
    return isClaimValidSql(domain);
  }
}
