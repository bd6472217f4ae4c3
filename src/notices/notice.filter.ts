import { ID } from 'type-graphql';
import { ComponentFilter } from '../components/component.filter.js';
import { filterOf } from '../graphql/filters.js';
import { Notice, PlannedNotice, UnplannedNotice } from './notice.entity.js';
import { NoticeUpdate } from './update.entity.js';

export const NoticeUpdateFilter = filterOf(NoticeUpdate);

export const NoticeFilter = filterOf(Notice, {
  kinds: [PlannedNotice, UnplannedNotice],
  // The interface document has no reminders, and the components have filters of their own.
  except: ['link', 'synopsis', 'reminder', 'componentIds'],
  more: {
    forComponents: {
      type: [ID],
      description: 'Those that name one of these components, one above it or one below it.',
    },
  },
  through: { components: ComponentFilter, updates: NoticeUpdateFilter },
});
