import type { ManualComponentStatus } from '../../../components/manual-status.rules.js';
import type { Impact } from '../../../notices/impact.rules.js';
import type { NoticeState } from '../../../notices/notice.states.js';
import { ComponentReader } from '../component-reader.js';
import { idOf, UnusableRow } from '../convert-rows.js';
import { isPrivatePage } from '../hidden-records.js';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { lookUp, requireState } from '../look-up.js';
import type { ImportedNotice, ImportedPage, ImportedSubscriber, LeftOut, StateChange } from '../imported-page.js';
import { findSpan } from '../notice-span.js';
import { toInternationalNumber } from '../../../i18n/phone-countries.js';
import { readRows } from '../read-rows.js';
import { type Answers, listRows, readRaw, readRecord, type Source } from '../source.js';
import {
  componentShape,
  type Incident,
  incidentShape,
  pageShape,
  type StatuspageUpdate,
  subscriberShape,
  updateShape,
} from './statuspage-shapes.js';

export const statuspage: Source = {
  label: 'Statuspage',
  files: ['page', 'components', 'component-groups', 'incidents', 'subscribers'],
  api: {
    origin: 'https://api.statuspage.io',
    authorize: token => `OAuth ${token}`,
    intervalMs: 1_000,
    paths: {
      page: '/v1/pages/:page',
      components: '/v1/pages/:page/components',
      'component-groups': '/v1/pages/:page/component-groups',
      incidents: '/v1/pages/:page/incidents',
      subscribers: '/v1/pages/:page/subscribers',
    },
  },
  read,
};

const incidentStates: Record<string, NoticeState> = {
  investigating: 'investigating',
  identified: 'identified',
  monitoring: 'recovering',
  resolved: 'resolved',
  postmortem: 'resolved',
};

const maintenanceStates: Record<string, NoticeState> = {
  scheduled: 'scheduled',
  in_progress: 'underway',
  verifying: 'underway',
  completed: 'complete',
  resolved: 'complete',
  postmortem: 'complete',
};

const impacts: Record<string, Impact> = { critical: 'major-outage', major: 'partial-outage', minor: 'degraded' };

const componentStatuses: Record<string, ManualComponentStatus> = {
  operational: 'operational',
  degraded_performance: 'degraded',
  partial_outage: 'partial-outage',
  major_outage: 'major-outage',
  under_maintenance: 'maintenance',
};

function read(answers: Answers): ImportedPage {
  const leftOut: LeftOut[] = [];
  const page = readRecord(answers, 'page', pageShape, leftOut);
  return {
    settings: page
      ? {
          name: page.name,
          timezone: page.time_zone,
          supportUrl: page.support_url,
          websiteUrl: page.url,
          metaDescription: page.page_description,
          isVisibleToSearch: !page.hidden_from_search,
        }
      : {},
    components: readComponents(answers, leftOut),
    notices: readNotices(answers, leftOut),
    subscribers: readSubscribers(answers, leftOut),
    leftOut,
    isPrivate: isPrivatePage(readRaw(answers, 'page')),
  };
}

/** Groups are also among the components, with `group`, and then have the same id. */
function readComponents(answers: Answers, leftOut: LeftOut[]): ImportedPage['components'] {
  const groups = listRows(answers, 'component-groups');
  const groupIds = new Set(groups.map(idOf));
  const components = listRows(answers, 'components').filter(row => !groupIds.has(idOf(row)));
  return new ComponentReader(leftOut)
    .add({
      rows: [...groups, ...components],
      shape: componentShape,
      convert: ({ group_id, name, description, position, created_at }) => ({
        parentId: group_id,
        name,
        description: description?.trim() || null,
        position: position ?? 0,
        createdAt: created_at,
      }),
    })
    .list();
}

const readNotices = (answers: Answers, leftOut: LeftOut[]): ImportedNotice[] =>
  readRows('notice', leftOut, {
    rows: listRows(answers, 'incidents'),
    shape: incidentShape,
    convert: incident => toNotice(incident, leftOut),
    essential: ['scheduled_for', 'scheduled_until'],
  });

function toNotice(incident: Incident, leftOut: LeftOut[]): unknown {
  const isPlanned =
    Boolean(incident.scheduled_for) || ['scheduled', 'in_progress', 'completed'].includes(incident.status);
  const states = isPlanned ? maintenanceStates : incidentStates;
  const state = requireState(states, incident.status);
  const rows: StatuspageUpdate[] = [];
  const updates = readRows('update', leftOut, {
    rows: listUpdates(incident),
    shape: updateShape,
    convert: update => {
      rows.push(update);
      return toUpdate(update, states);
    },
  });
  const type = isPlanned ? 'planned' : 'unplanned';
  const [beginsAt, endsAt] = isPlanned ? [incident.scheduled_for, incident.scheduled_until] : [null, null];
  const span = findSpan({
    type,
    state,
    createdAt: incident.created_at,
    ended: incident.resolved_at,
    began: isPlanned ? beginsAt : incident.started_at,
    moments: rows.map(row => ({ state: lookUp(states, row.status), at: row.display_at ?? row.created_at })),
  });
  return {
    sourceId: incident.id,
    type,
    subject: incident.name,
    state,
    beginsAt,
    endsAt,
    ...span,
    createdAt: incident.created_at,
    componentIds: (incident.components ?? []).map(component => component.id),
    impact: lookUp(impacts, incident.impact) ?? 'degraded',
    changes: isPlanned ? [] : rows.flatMap(toChanges),
    updates,
  };
}

function toUpdate(
  { id: sourceId, status, body, display_at, created_at }: StatuspageUpdate,
  states: Record<string, NoticeState>,
): unknown {
  return {
    sourceId,
    state: requireState(states, status),
    kind: status === 'postmortem' ? 'postmortem' : 'update',
    content: htmlToMarkdown(body ?? ''),
    postedAt: display_at ?? created_at,
  };
}

/** With the post-mortem, if it is published and not among the updates. */
function listUpdates({ id: incidentId, incident_updates, ...incident }: Incident): unknown[] {
  const updates = incident_updates ?? [];
  const { postmortem_body: body, postmortem_published_at: published, resolved_at } = incident;
  const at = published ?? resolved_at;
  const isListed = updates.some(update => (update as { status?: unknown } | null)?.status === 'postmortem');
  if (!body?.trim() || published === null || !at || isListed) return updates;
  const display_at = at.toISOString();
  return [
    ...updates,
    { id: `${incidentId} postmortem`, status: 'postmortem', body, display_at, created_at: display_at },
  ];
}

const toChanges = ({ affected_components, display_at, created_at }: StatuspageUpdate): StateChange[] =>
  (affected_components ?? []).flatMap(({ code, new_status }) => {
    const state = lookUp(componentStatuses, new_status);
    return state ? [{ componentId: code, state, at: display_at ?? created_at }] : [];
  });

const readSubscribers = (answers: Answers, leftOut: LeftOut[]): ImportedSubscriber[] =>
  readRows('subscriber', leftOut, {
    rows: listRows(answers, 'subscribers'),
    shape: subscriberShape,
    convert: ({ id: sourceId, mode, email, phone_number, phone_country, ...subscriber }) => {
      if (mode !== 'email' && mode !== 'sms') throw new UnusableRow(`has the channel ${mode}, which cannot be moved`);
      const phoneNumber = toInternationalNumber(phone_number ?? '', phone_country ?? '');
      return {
        sourceId,
        ...(mode === 'email' ? { email: email ?? '' } : { phoneNumber }),
        componentIds: subscriber.components?.length ? subscriber.components : null,
        consentedAt: subscriber.created_at,
      };
    },
  });
