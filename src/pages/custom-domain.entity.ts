import { Entity, Index, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Derived } from '../db/derived.js';
import { Stamped, TimestampColumn } from '../db/stamped.entity.js';
import { Page } from './page.entity.js';
import { claimHoldsSql, hostSql } from './public-address.js';

@ObjectType({ implements: Stamped, description: 'The claim of a page to a domain, as the DNS record that its owner is to create.' })
@Entity({ tableName: 'custom_domain' })
// Only a verified claim is taken: an unverified one must not keep the owner of a domain out.
@Index({
  name: 'custom_domain_verified_unique',
  expression: 'create unique index "custom_domain_verified_unique" on "custom_domain" ("domain") where verified_at is not null',
})
export class CustomDomain extends Stamped {
  static readonly word = 'custom domain';

  @OneToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Property({ type: 'text' })
  domain!: string;

  @TimestampColumn()
  claimedAt!: Date;

  @TimestampColumn({ nullable: true })
  verifiedAt: Date | null = null;

  @Field(() => String, { description: 'The type of DNS record to create: CNAME.' })
  @Derived<CustomDomain>(() => `'CNAME'`, 'text')
  type!: string;

  @Field(() => String, { description: 'The name the DNS record points from: the domain.' })
  @Derived<CustomDomain>(domain => domain.domain, 'text')
  from!: string;

  @Field(() => String, { description: 'The name the DNS record points to.' })
  @Derived<CustomDomain>(domain => hostSql(domain.page), 'text')
  to!: string;

  static visible(domain: { verifiedAt: string; claimedAt: string }): string {
    return claimHoldsSql(domain);
  }
}
