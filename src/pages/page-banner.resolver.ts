import { Ctx, Extensions, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { ComponentStatuses } from '../components/component.enums.js';
import { RequiresAccess } from '../auth/access.js';
import type { Context } from '../graphql/context.js';
import { ResolvedFrom } from '../graphql/entity-field-decorators.js';
import { Page } from './page.entity.js';
import { type PublicPage, readPublicPage } from './public-page.js';

@ObjectType({ description: 'What the public page says first.' })
class Banner {
  @Field(() => ComponentStatuses, {
    description:
      'The worst status of its components, or DEGRADED while an incident names none. Never PARTLY_AFFECTED or UNKNOWN.',
  })
  status!: PublicPage['banner']['status'];

  @Field(() => String, { description: 'The sentence of the banner, in the language of the page.' })
  text!: string;
}

@Resolver(() => Page)
export class PageBannerResolver {
  @RequiresAccess('page')
  @ResolvedFrom('id')
  // It reads what the public page shows.
  @Extensions({ cost: 250 })
  @FieldResolver(() => Banner, {
    nullable: true,
    description:
      'The banner of the public page. Costs one more statement per page. Null if the page was deleted while it was ' +
      'read.',
  })
  async banner(@Root() { id }: { id: string }, @Ctx() context: Context): Promise<Banner | null> {
    return (await readPublicPage(context, id))?.banner ?? null;
  }
}
