import { filterOf } from '../graphql/filters.js';
import { Attempt } from './delivery/attempt.entity.js';
import { DeliveryCount } from './delivery/delivery-count.entity.js';
import { Delivery } from './delivery/delivery.entity.js';
import { Publication } from './publication.entity.js';

const DeliveryCountFilter = filterOf(DeliveryCount);
const AttemptFilter = filterOf(Attempt);

export const PublicationFilter = filterOf(Publication, { through: { counts: DeliveryCountFilter } });
export const DeliveryFilter = filterOf(Delivery, {
  through: { publication: PublicationFilter, attempts: AttemptFilter },
});
