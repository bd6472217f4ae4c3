import { createFilterType } from '../../graphql/filters.js';
import { PageChannel } from './page-channel.entity.js';

export const PageChannelFilter = createFilterType(PageChannel);
