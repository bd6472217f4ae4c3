import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Page } from '../pages/page.entity.js';

export type DemoRecordKind = 'component' | 'notice' | 'template';

/** A record that was created as demonstration data, so that exactly those are deleted with it. */
@Entity({ tableName: 'demo_record' })
export class DemoRecord {
  @ManyToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Property({ type: 'text', primary: true })
  kind!: DemoRecordKind;

  @Property({ type: 'text', primary: true })
  recordId!: string;
}
