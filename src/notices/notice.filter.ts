import { ID } from 'type-graphql';
import { ComponentFilter } from '../components/component.filter.js';
import { createFilterType } from '../graphql/filters.js';
import { Notice, PlannedNotice, UnplannedNotice } from './notice.entity.js';
import { NoticeUpdate } from './updates/update.entity.js';

export const NoticeUpdateFilter = createFilterType(NoticeUpdate, {
  except: ['link', 'contentHtml', 'contentText'],
  graphqlOnly: ['state', 'kind', 'postedAt', 'editedAt'],
});

export const NoticeFilter = createFilterType(Notice, {
  kinds: [PlannedNotice, UnplannedNotice],
  // /v1 has no filter for reminders, components have filters of their own, and visitors do not see the owner.
  except: [
    'link',
    'synopsis',
    'reminder',
    'componentIds',
    'nextStates',
    'ownerId',
    'owner',
    'staleAt',
    'recurrenceId',
    'metadata',
  ],
  graphqlOnly: ['nextUpdateBy', 'worstImpact'],
  more: {
    forComponents: {
      type: [ID],
      description: 'Notices that name one of these components, an ancestor or a descendant.',
    },
  },
  through: { components: ComponentFilter, updates: NoticeUpdateFilter },
});
