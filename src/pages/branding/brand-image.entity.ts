import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Page } from '../page.entity.js';
import type { BrandImageFormat, BrandImageRole } from './brand-image.js';

/** An image of a brand. It is replaced as a whole, and has no version: that of the brand counts. */
@Entity({ tableName: 'brand_image' })
export class BrandImage {
  @ManyToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @PrimaryKey({ type: 'text' })
  role!: BrandImageRole;

  @Property({ type: 'text' })
  format!: BrandImageFormat;

  @Property({ type: 'text' })
  hash!: string;

  @Property({ type: 'integer' })
  width!: number;

  @Property({ type: 'integer' })
  height!: number;

  /** An SVG is sanitized. */
  @Property({ type: 'blob' })
  content!: Buffer;

  /** An SVG as PNG, for mail and chat. */
  @Property({ type: 'blob', nullable: true })
  png: Buffer | null = null;
}
