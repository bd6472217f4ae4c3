import { snakeCase } from '../../../core/snake-case.js';
import type { NoticeState } from '../../../notices/notice.states.js';
import { colourNames } from '../../../pages/branding/brand.entity.js';
import { isColour } from '../../../pages/branding/colour.js';
import { ComponentReader } from '../component-reader.js';
import type { ImportedNotice, ImportedPage, LeftOut } from '../imported-page.js';
import { findSpan } from '../notice-span.js';
import { readRows } from '../read-rows.js';
import { type Answers, listRows, type ReadOptions, readRaw, readRecord, type Source } from '../source.js';
import {
  componentShape,
  noticeShape,
  pageShape,
  subscriberShape,
  templateShape,
  updateShape,
  type V1Notice,
} from './v1-shapes.js';

/** Any service that speaks `/v1`. Its records get ids of this installation; `v1-to-archive/` keeps their own. */
export const v1 = {
  label: '/v1',
  files: ['page', 'brand', 'components', 'notices', 'notice-templates', 'subscribers'],
  api: {
    origin: '',
    authorize: token => `Bearer ${token}`,
    intervalMs: 100,
    paths: {
      page: '/v1/pages/:page',
      brand: '/v1/pages/:page/brand',
      components: '/v1/pages/:page/components',
      notices: '/v1/pages/:page/notices?include=components,updates',
      'notice-templates': '/v1/pages/:page/notice_templates',
      subscribers: '/v1/pages/:page/subscribers?include=components',
    },
    optional: ['brand'],
  },
  read,
} satisfies Source;

function read(answers: Answers, _options: ReadOptions): ImportedPage {
  const leftOut: LeftOut[] = [];
  const page = readRecord(answers, 'page', pageShape, leftOut);
  return {
    settings: {
      name: page?.name,
      timezone: page?.timezone,
      locale: page?.locale,
      supportEmail: page?.support_email,
      supportTelephone: page?.support_telephone,
      supportUrl: page?.support_url,
      websiteUrl: page?.website_url,
      metaTitle: page?.meta_title,
      metaDescription: page?.meta_description,
      isVisibleToSearch: page?.visible_to_search ?? undefined,
      googleAnalyticsId: page?.vendor_analytics_id,
      timelineThresholdSeconds: page?.timeline_threshold,
      timelineSortOrder: page?.timeline_sort_order,
    },
    colours: readColours(answers, leftOut),
    templates: readRows('template', leftOut, {
      rows: listRows(answers, 'notice-templates'),
      shape: templateShape,
      convert: ({ id: sourceId, name, subject, initial_comment, component_id }) => ({
        sourceId,
        name,
        subject: subject?.trim() || null,
        content: initial_comment?.trim() || null,
        componentId: component_id,
      }),
    }),
    components: new ComponentReader(leftOut)
      .add({
        rows: listRows(answers, 'components'),
        shape: componentShape,
        convert: ({ name, description, position, parent_id, created_at }) => ({
          name,
          description: description?.trim() || null,
          position: position ?? 0,
          parentId: parent_id ?? null,
          createdAt: created_at,
        }),
      })
      .list(),
    notices: readRows('notice', leftOut, {
      rows: listRows(answers, 'notices'),
      shape: noticeShape,
      convert: notice => toNotice(notice, leftOut),
    }),
    subscribers: readRows('subscriber', leftOut, {
      rows: listRows(answers, 'subscribers'),
      shape: subscriberShape,
      convert: ({ id: sourceId, components, tag_list, created_at, ...row }) => ({
        sourceId,
        email: row.email ?? undefined,
        phoneNumber: row.phone_number ?? undefined,
        firstName: row.first_name ?? undefined,
        lastName: row.last_name ?? undefined,
        nickname: row.nickname ?? undefined,
        company: row.company ?? undefined,
        tags: tag_list?.join(','),
        componentIds: components.length ? components.map(({ id }) => id) : null,
        consentedAt: created_at,
      }),
    }),
    leftOut,
  };
}

function readColours(answers: Answers, leftOut: LeftOut[]): ImportedPage['colours'] {
  const brand = (readRaw(answers, 'brand') ?? {}) as Record<string, unknown>;
  const given = colourNames.map(name => [name, brand[snakeCase(name)]] as const).filter(([, value]) => value != null);
  const isValid = ([, value]: readonly [string, unknown]) => typeof value === 'string' && isColour(value);
  for (const [name, value] of given.filter(colour => !isValid(colour)))
    leftOut.push({ kind: 'setting', sourceId: snakeCase(name), reason: `is not valid here: ${value}` });
  const valid = given.filter(isValid);
  return valid.length ? Object.fromEntries(valid) : undefined;
}

/** Its updates have no states: the state of the notice is that of the last one. */
function toNotice(notice: V1Notice, leftOut: LeftOut[]): Partial<Record<keyof ImportedNotice, unknown>> {
  const { id: sourceId, type, subject, begins_at, ends_at, began_at, ended_at, created_at, components } = notice;
  const state = type === 'general' ? null : ((notice.state ?? null) as NoticeState | null);
  const updates = readRows('update', leftOut, {
    rows: notice.updates,
    shape: updateShape,
    convert: update => ({
      sourceId: update.id,
      content: update.content,
      state: null,
      postedAt: update.created_at,
    }),
  });
  const moments = updates.map(({ postedAt: at }) => ({ state: null, at }));
  return {
    sourceId,
    type,
    subject,
    state,
    beginsAt: begins_at ?? null,
    endsAt: ends_at ?? null,
    ...findSpan({ type, state, createdAt: created_at, began: began_at, ended: ended_at, moments }),
    createdAt: created_at,
    componentIds: components.map(({ id }) => id),
    updates,
  };
}
