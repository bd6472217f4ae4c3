import { type IncidentUpdate, renderUpdate, StatuspageIncidentUpdate } from './incident-record.js';
import { IncidentFields } from './incident-fields.js';
import type { StatuspageRoute } from './route.js';

export const ChangeUpdate = /* GraphQL */ `
  mutation ChangeStatuspageIncidentUpdate($page: ID!, $incident: ID!, $id: ID!, $input: UpdateNoticeUpdateInput!) {
    result: updateNoticeUpdate(pageId: $page, noticeId: $incident, id: $id, input: $input) {
      update: noticeUpdate { ...StatuspageIncidentUpdate }
    }
  }
  ${StatuspageIncidentUpdate}`;

export const incidentUpdateDocuments = [ChangeUpdate];

const incidents = '/pages/:page/incidents';

export const incidentUpdateRoutes: readonly StatuspageRoute[] = [
  {
    method: 'PATCH',
    path: `${incidents}/:incident/incident_updates/:id`,
    priority: 'noticeWrite',
    record: 'incident_update',
    fields: ['body', 'deliver_notifications'],
    async handle({ path, input, run, warnings }) {
      const fields = new IncidentFields(input, warnings);
      const change = { content: fields.content() };
      if (fields.flag('deliver_notifications'))
        warnings.add('deliver_notifications was ignored: a changed text notifies nobody.');
      const { update } = await run<{ update: IncidentUpdate }>(ChangeUpdate, { ...path, input: change });
      return renderUpdate(update, Number(path.incident));
    },
  },
];
