import { z } from 'zod';
import type { ManualComponentStatus } from '../../../components/manual-status.rules.js';
import { type Impact, impacts } from '../../../notices/impact.rules.js';
import type { NoticeState } from '../../../notices/notice.states.js';
import { ComponentReader } from '../component-reader.js';
import { id, idOf, optionalText, optionalTime, time, UnusableRow } from '../convert-rows.js';
import { isPrivatePage } from '../hidden-records.js';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { lookUp, requireState } from '../look-up.js';
import {
  type ImportedComponent,
  importedComponent,
  type ImportedPage,
  type ImportedSubscriber,
  type LeftOut,
} from '../imported-page.js';
import { findSpan } from '../notice-span.js';
import { readRows } from '../read-rows.js';
import { type Answers, listRows, readRaw, readRecord, type Source } from '../source.js';

export const instatus: Source = {
  label: 'Instatus',
  files: ['page', 'components', 'incidents', 'maintenances', 'subscribers'],
  api: {
    origin: 'https://api.instatus.com',
    authorize: token => `Bearer ${token}`,
    intervalMs: 500,
    paths: {
      page: '/v2/:page',
      components: '/v2/:page/components',
      incidents: '/v1/:page/incidents',
      maintenances: '/v2/:page/maintenances',
      subscribers: '/v2/:page/subscribers',
    },
  },
  read,
};

/** A text, or a text by language. */
const name = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .transform(value =>
    typeof value === 'string' ? value : String(value.default ?? value.en ?? Object.values(value)[0]),
  );

const pageShape = z.object({ name, websiteUrl: optionalText, language: optionalText });

const groupShape = z.object({ id, name });
const componentShape = z.object({
  id,
  name,
  description: name.nullish(),
  order: z.int().nullish(),
  group: z.union([z.string(), groupShape]).nullish(),
});

const updateShape = z.object({
  id,
  message: optionalText,
  messageHtml: optionalText,
  status: z.string(),
  started: optionalTime,
  createdAt: optionalTime,
});
const affected = z.array(z.object({ id, status: optionalText })).nullish();
const incidentShape = z.object({
  id,
  name: name.nullish(),
  status: z.string(),
  started: time,
  resolved: optionalTime,
  components: affected,
  updates: z.array(z.unknown()).nullish(),
});
const maintenanceShape = z.object({
  id,
  name: name.nullish(),
  status: z.string(),
  start: time,
  duration: z.number().nullish(),
  components: affected,
  updates: z.array(z.unknown()).nullish(),
});

const subscriberShape = z.object({
  id,
  email: optionalText,
  phone: optionalText,
  createdAt: optionalTime,
  all: z.boolean().nullish(),
  components: z.array(z.union([id, z.object({ id }).transform(component => component.id)])).nullish(),
});

const states: Record<string, NoticeState> = {
  INVESTIGATING: 'investigating',
  IDENTIFIED: 'identified',
  MONITORING: 'recovering',
  RESOLVED: 'resolved',
  NOTSTARTEDYET: 'scheduled',
  INPROGRESS: 'underway',
  VERIFYING: 'underway',
  COMPLETED: 'complete',
};
const componentStatuses: Record<string, ManualComponentStatus> = {
  DEGRADEDPERFORMANCE: 'degraded',
  PARTIALOUTAGE: 'partial-outage',
  MAJOROUTAGE: 'major-outage',
};

function read(answers: Answers): ImportedPage {
  const leftOut: LeftOut[] = [];
  const page = readRecord(answers, 'page', pageShape, leftOut);
  return {
    settings: page ? { name: page.name, websiteUrl: page.websiteUrl, locale: page.language } : {},
    components: readComponents(answers, leftOut),
    notices: [
      ...readRows('notice', leftOut, {
        rows: listRows(answers, 'incidents'),
        shape: incidentShape,
        convert: ({ started: began, resolved: ended, ...incident }) =>
          toNotice({ ...incident, type: 'unplanned', createdAt: began, began, ended }, leftOut),
      }),
      ...readRows('notice', leftOut, {
        rows: listRows(answers, 'maintenances'),
        shape: maintenanceShape,
        convert: ({ start: began, duration, ...maintenance }) => {
          const endsAt = duration ? new Date(began.getTime() + duration * 60_000) : null;
          const notice = toNotice({ ...maintenance, type: 'planned', createdAt: began, began, ended: null }, leftOut);
          return { ...notice, beginsAt: began, endsAt: endsAt ?? notice.endedAt };
        },
      }),
    ],
    subscribers: readSubscribers(answers, leftOut),
    leftOut,
    isPrivate: isPrivatePage(readRaw(answers, 'page')),
  };
}

/** A group is a component, whose id the others name, or only a name. */
function readComponents(answers: Answers, leftOut: LeftOut[]): ImportedComponent[] {
  const rows = listRows(answers, 'components');
  const ids = new Set(rows.map(idOf));
  const groups = new Map<string, ImportedComponent>();
  const findGroup = (group: z.infer<typeof componentShape>['group']): string | null => {
    if (!group) return null;
    const [groupId, groupName] = typeof group === 'string' ? [group, group] : [group.id, group.name];
    if (ids.has(groupId)) return groupId;
    const sourceId = `group ${groupId}`;
    if (!groups.has(sourceId))
      groups.set(sourceId, importedComponent.parse({ sourceId, name: groupName, position: groups.size }));
    return sourceId;
  };
  const components = new ComponentReader(leftOut)
    .add({
      rows,
      shape: componentShape,
      convert: ({ description, order, group, name: own }) => ({
        name: own,
        position: order ?? 0,
        parentId: findGroup(group),
        description: description?.trim() || null,
      }),
    })
    .list();
  const used = new Set(components.map(({ parentId }) => parentId));
  return [...[...groups.values()].filter(({ sourceId }) => used.has(sourceId)), ...components];
}

interface Report {
  id: string;
  type: 'unplanned' | 'planned';
  name?: string | null;
  status: string;
  createdAt: Date;
  began: Date;
  ended?: Date | null;
  components?: z.infer<typeof affected>;
  updates?: unknown[] | null;
}

function toNotice(
  { id: sourceId, type, name: subject, createdAt, began, ended, ...report }: Report,
  leftOut: LeftOut[],
) {
  const state = requireState(states, report.status);
  const updates = readRows('update', leftOut, {
    rows: report.updates ?? [],
    shape: updateShape,
    convert: ({ id: updateId, message, messageHtml, status, started, createdAt: created }) => ({
      sourceId: updateId,
      state: requireState(states, status),
      postedAt: started ?? created,
      content: message?.trim() ? message : htmlToMarkdown(messageHtml ?? ''),
    }),
  });
  const moments = updates.map(update => ({ state: update.state, at: update.postedAt }));
  const stated = (report.components ?? []).flatMap(({ status }) => lookUp(componentStatuses, status) ?? []);
  return {
    sourceId,
    type,
    subject,
    state,
    createdAt,
    updates,
    ...findSpan({ type, state, createdAt, began, ended, moments }),
    componentIds: (report.components ?? []).map(component => component.id),
    impact: impacts.findLast((impact: Impact) => stated.includes(impact)) ?? 'degraded',
  };
}

const readSubscribers = (answers: Answers, leftOut: LeftOut[]): ImportedSubscriber[] =>
  readRows('subscriber', leftOut, {
    rows: listRows(answers, 'subscribers'),
    shape: subscriberShape,
    convert: ({ id: sourceId, email, phone, all, components, createdAt }) => {
      if (!email && !phone) throw new UnusableRow('has neither an e-mail address nor a phone number');
      return {
        sourceId,
        email: email ?? undefined,
        phoneNumber: phone ?? undefined,
        consentedAt: createdAt ?? null,
        componentIds: all === false || components?.length ? (components ?? []) : null,
      };
    },
  });
