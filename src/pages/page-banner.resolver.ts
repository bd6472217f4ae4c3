import { Ctx, Extensions, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { RequiresAccess } from '../auth/access.js';
import type { Context } from '../graphql/context.js';
import { registerEnum } from '../graphql/enum.js';
import { ResolvedFrom } from '../graphql/entity-field-decorators.js';
import { Page } from './page.entity.js';
import { type PublicPage, readPublicPage } from './public-page.js';

const BannerStates = registerEnum(
  'BannerState',
  {
    operational: 'No incident is open, no maintenance is underway, and every manual state is OPERATIONAL.',
    maintenance: 'A maintenance is underway, and no incident is open. As below, a manual state counts, too.',
    degraded: 'An incident is open, whose components are slow or fail in part.',
    'partial-outage': 'An incident with a partial outage is open.',
    'major-outage': 'An incident with a major outage is open.',
  } satisfies Record<PublicPage['banner']['state'], string>,
  'The state of a page in its banner.',
);

@ObjectType({ description: 'What the public page says first.' })
class Banner {
  @Field(() => BannerStates, { description: 'The state.' })
  state!: PublicPage['banner']['state'];

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
      'The banner of the public page. A statement per page more. Null if the page was deleted while it was read.',
  })
  async banner(@Root() { id }: { id: string }, @Ctx() context: Context): Promise<Banner | null> {
    return (await readPublicPage(context, id))?.banner ?? null;
  }
}
