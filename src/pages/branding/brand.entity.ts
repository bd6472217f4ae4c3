import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { ComputedField } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';
import { InverseReference } from '../../records/inverse-relation.js';
import { Timestamped } from '../../core/timestamped.entity.js';
import { type ColourName, defaultColours } from './colour.js';
import { Page } from '../page.entity.js';
import { publicUrlSql } from '../public-url.js';
import { type BrandImageRole, brandImagePathSql } from './brand-image.js';

export const colourNames = Object.keys(defaultColours) as ColourName[];

const Colour =
  (description: string) =>
  (target: object, name: ColourName): void => {
    Property({ type: 'text', default: defaultColours[name] })(target, name);
    Field(() => String, { description: `${description}, as a hex or rgba() colour.` })(target, name);
  };

const ImageUrl =
  (role: BrandImageRole, description: string) =>
  (target: object, name: string): void => {
    Field(() => String, { nullable: true, description: `${description} Its URL; null if there is none.` })(
      target,
      name,
    );
    ComputedField<Brand>(
      record =>
        `(select ${publicUrlSql(`${record.page}`)} || ${brandImagePathSql('i')} from brand_image i
        where i.page_id = ${record.page} and i.role = '${role}')`,
      'text',
    )(target, name);
  };

@ObjectType({
  implements: Timestamped,
  description: 'The colours and images of a page. It exists as long as its page does.',
})
@Entity({ tableName: 'brand' })
export class Brand extends Timestamped {
  static readonly rules = defineRules<Brand>({ recordName: 'page', isPageContent: true });

  @OneToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  @InverseReference(
    Page,
    'brand',
    RequiresAccess('page'),
    Field(() => Brand, { description: 'The colours of the page.' }),
  )
  page!: Page;

  @Field(() => ID, { description: 'The id of its page.' })
  @ComputedField<Brand>(record => `${record.page}`, 'text')
  id!: string;

  @Colour('Indicator of the operational state') colorStateOk: string = defaultColours.colorStateOk;
  @Colour('Indicator of a degraded state') colorStateWarning: string = defaultColours.colorStateWarning;
  @Colour('Navbar background') colorNavbarBackground: string = defaultColours.colorNavbarBackground;
  @Colour('Navbar links') colorNavbarLinks: string = defaultColours.colorNavbarLinks;
  @Colour('Navbar buttons') colorNavbarButtonBackground: string = defaultColours.colorNavbarButtonBackground;
  @Colour('Header background') colorHeaderBackground: string = defaultColours.colorHeaderBackground;
  @Colour('Header links') colorHeaderLinks: string = defaultColours.colorHeaderLinks;
  @Colour('Header text') colorHeaderText: string = defaultColours.colorHeaderText;
  @Colour('Body background') colorBodyBackground: string = defaultColours.colorBodyBackground;
  @Colour('Body links') colorBodyLinks: string = defaultColours.colorBodyLinks;
  @Colour('Body text') colorBodyText: string = defaultColours.colorBodyText;

  @ImageUrl('logo', 'The logo.') logoUrl!: string | null;
  @ImageUrl('logoDark', 'The logo in the dark scheme.') logoDarkUrl!: string | null;
  @ImageUrl('favicon', 'The icon of browser tabs.') faviconUrl!: string | null;
}
