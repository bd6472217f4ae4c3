import type { PublicRoute, RouteParameters } from '../routing/public-route.js';
import { renderJson } from '../routing/responses.js';
import { hasWholeNotice, type NoticeView, type PageView } from '../view/view.js';
import { paginate } from './pagination.js';
import { apiPath, createComponentSerializer, toApiNotice, toApiPage, toDetailedApiNotice } from './records.js';

/** By query parameter: whether a notice has the value. `past` is both of its kinds. */
const noticeFilters: Record<string, (notice: NoticeView, value: string) => boolean> = {
  'filter[timeline_state_eq]': ({ timelineState }, value) =>
    timelineState === value || (value === 'past' && timelineState.startsWith('past_')),
  'filter[type_eq]': ({ type }, value) => type === value,
};

/**
 * The public, read-only API of a page, which programs that watch status pages read at its host without a token.
 * The members of its responses are fixed, since some readers refuse a response with others.
 */
export const pageApiRoutes: readonly PublicRoute[] = [
  // Readers look for the API at its address alone.
  createRoute('status', ['lang'], view => ({ page: toApiPage(view) }), ['api/v1', 'api/v1/']),
  createRoute('components', ['page'], (view, parameters) => {
    const components = [...view.componentsById.values()];
    const { records, meta } = paginate(components, apiPath(view, 'components'), parameters);
    return { components: records.map(createComponentSerializer(view)), meta };
  }),
  {
    ...createRoute('notices', [...Object.keys(noticeFilters), 'page'], (view, parameters) => {
      const { records, meta } = paginate(filterNotices(view, parameters), apiPath(view, 'notices'), parameters);
      return { notices: records.map(notice => toApiNotice(notice, view)), meta };
    }),
    hasTexts: true,
  },
  {
    path: 'api/v1/notices/:notice',
    hasTexts: true,
    requiredNotices: (parameters, view) => {
      const id = parseNoticeId(parameters);
      const isLoaded = hasWholeNotice(view, notice => notice.id === id);
      return id === null || isLoaded ? null : { id };
    },
    listPaths: ({ notices }) => notices.map(({ id }) => `api/v1/notices/${id}.json`),
    render: (view, parameters) => {
      const id = parseNoticeId(parameters);
      const notice = view.notices.find(candidate => candidate.id === id);
      return notice ? renderJson({ notice: toDetailedApiNotice(notice, view) }) : null;
    },
  },
];

function createRoute(
  name: string,
  query: readonly string[],
  buildBody: (view: PageView, parameters: RouteParameters) => object,
  aliases: readonly string[] = [],
): PublicRoute {
  return {
    path: `api/v1/${name}.json`,
    aliases: [`api/v1/${name}`, ...aliases],
    query,
    render: (view, parameters) => renderJson(buildBody(view, parameters)),
  };
}

const filterNotices = ({ notices }: PageView, { query }: RouteParameters): NoticeView[] =>
  notices.filter(notice =>
    Object.entries(noticeFilters).every(([name, hasValue]) => {
      const value = query[name];
      return value === undefined || hasValue(notice, value);
    }),
  );

/** Null for anything but a positive integer of PostgreSQL, without a database query. */
function parseNoticeId({ path: { notice = '' } }: RouteParameters): number | null {
  const [, digits] = /^([1-9]\d{0,9})(?:\.json)?$/.exec(notice) ?? [];
  return digits && Number(digits) < 2 ** 31 ? Number(digits) : null;
}
