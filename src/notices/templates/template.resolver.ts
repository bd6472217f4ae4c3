import { ObjectType } from 'type-graphql';
import { ComponentFilter } from '../../components/component.filter.js';
import { createFilterType } from '../../graphql/filters.js';
import { createRecordPayload } from '../../pages/page-change.payload.js';
import { createRecordResolver } from '../../pages/page-record.resolver.js';
import { ComponentTemplate, NoticeTemplate } from './template.entity.js';
import { CreateNoticeTemplateInput, UpdateNoticeTemplateInput } from './template.inputs.js';
import { createNoticeTemplate, deleteNoticeTemplate, updateNoticeTemplate } from './template.service.js';

const NoticeTemplateFilter = createFilterType(NoticeTemplate, {
  kinds: [ComponentTemplate],
  except: ['componentIds'],
  graphqlOnly: ['type', 'state'],
  through: { component: ComponentFilter },
});

@ObjectType({ description: 'A created or updated template.' })
export class NoticeTemplatePayload extends createRecordPayload(NoticeTemplate, 'The template, after the change.') {}

export const NoticeTemplateResolver = createRecordResolver(
  NoticeTemplate,
  {
    access: 'viewer',
    one: 'Returns a template of a page.',
    list: 'Lists the templates of a page, in the order of creation.',
    filter: NoticeTemplateFilter,
    orderBy: ['id', 'name', 'createdAt', 'updatedAt'],
  },
  {
    access: 'publisher',
    payload: NoticeTemplatePayload,
    create: { description: 'Creates a template.', input: CreateNoticeTemplateInput, run: createNoticeTemplate },
    update: { description: 'Updates a template.', input: UpdateNoticeTemplateInput, run: updateNoticeTemplate },
    delete: { description: 'Deletes a template.', run: deleteNoticeTemplate },
  },
);
