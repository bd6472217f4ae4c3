import { createFilterType } from '../graphql/filters.js';
import { Attempt } from './delivery/attempt.entity.js';
import { DeliveryCount } from './delivery/delivery-count.entity.js';
import { Delivery } from './delivery/delivery.entity.js';
import { Publication } from './publication.entity.js';

const DeliveryCountFilter = createFilterType(DeliveryCount);
const AttemptFilter = createFilterType(Attempt);

export const PublicationFilter = createFilterType(Publication, { through: { counts: DeliveryCountFilter } });
export const DeliveryFilter = createFilterType(Delivery, {
  through: { publication: PublicationFilter, attempts: AttemptFilter },
});
