import { createFilterType } from '../graphql/filters.js';
import { actorAttributes } from '../people/actor.fields.js';
import { Attempt } from './delivery/attempt.entity.js';
import { DeliveryCount } from './delivery/delivery-count.entity.js';
import { Delivery } from './delivery/delivery.entity.js';
import { Publication } from './publication.entity.js';
import { PublicationAudience } from './publication-audience.entity.js';

const DeliveryCountFilter = createFilterType(DeliveryCount);
const AttemptFilter = createFilterType(Attempt);

const PublicationAudienceFilter = createFilterType(PublicationAudience);

export const PublicationFilter = createFilterType(Publication, {
  attributes: actorAttributes('publishedBy'),
  through: { counts: DeliveryCountFilter, audience: PublicationAudienceFilter },
});
export const DeliveryFilter = createFilterType(Delivery, {
  through: { publication: PublicationFilter, attempts: AttemptFilter },
});
