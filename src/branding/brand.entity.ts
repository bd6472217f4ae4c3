import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Derived } from '../records/computed-field.js';
import { Stamped } from '../db/timestamped.entity.js';
import { defaultColours } from './colour.js';
import { Page } from '../pages/page.entity.js';

export type ColourName = keyof typeof defaultColours;
export const colourNames = Object.keys(defaultColours) as ColourName[];

/** A colour: column, default and field in one. */
const Colour =
  (description: string) =>
  (target: object, name: ColourName): void => {
    Property({ type: 'text', default: defaultColours[name] })(target, name);
    Field(() => String, { description: `${description}, as a HEX or RGBa colour.` })(target, name);
  };

@ObjectType({ implements: Stamped, description: 'The colours of a page. It exists as long as its page does.' })
@Entity({ tableName: 'brand' })
export class Brand extends Stamped {
  static readonly word = 'page';

  @OneToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Field(() => ID, { description: 'The id of its page.' })
  @Derived<Brand>(record => `${record.page}`, 'text')
  id!: string;

  @Colour('The indicator that things are fine') colorStateOk: string = defaultColours.colorStateOk;
  @Colour('The indicator that things are wrong') colorStateWarning: string = defaultColours.colorStateWarning;
  @Colour('Navbar background') colorNavbarBackground: string = defaultColours.colorNavbarBackground;
  @Colour('Navbar links') colorNavbarLinks: string = defaultColours.colorNavbarLinks;
  @Colour('Navbar buttons') colorNavbarButtonBackground: string = defaultColours.colorNavbarButtonBackground;
  @Colour('Header background') colorHeaderBackground: string = defaultColours.colorHeaderBackground;
  @Colour('Header links') colorHeaderLinks: string = defaultColours.colorHeaderLinks;
  @Colour('Header text') colorHeaderText: string = defaultColours.colorHeaderText;
  @Colour('Body background') colorBodyBackground: string = defaultColours.colorBodyBackground;
  @Colour('Body links') colorBodyLinks: string = defaultColours.colorBodyLinks;
  @Colour('Body text') colorBodyText: string = defaultColours.colorBodyText;
}
