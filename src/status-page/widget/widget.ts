import { getTranslator, type Translator } from '../../i18n/translator.js';
import { iconPaths } from '../../pages/branding/icon-paths.js';
import { stateStyles, type Tone } from '../../pages/branding/state-styles.js';
import { defaultImpact, findWorstImpact, getShownImpact, type ShownImpact } from '../../notices/impact.rules.js';
import { bannerText } from '../view/banner-text.js';
import { findRequestedComponent, concerns, noticeUrl, pageUrl } from '../view/urls.js';
import type { PublicRoute } from '../routing/public-route.js';
import { renderJson } from '../routing/responses.js';
import { flattenTree, isSelfOrAncestor } from '../../components/component-tree.js';
import type { Banner, ComponentView, NoticeView, PageView } from '../view/view.js';
import { createPalette } from '../html/style/palette.js';
import { getTone } from '../html/status-icons.js';
import { shownCount } from './shown-count.js';

/** The data of `/widget.js`: outages without a notice, and the present notices of the page or of a component. */
export const widget: PublicRoute = {
  path: 'widget.json',
  query: ['component', 'lang'],
  render: (view, parameters) => {
    const component = findRequestedComponent(view, parameters);
    if (component === null) return null;
    const translator = getTranslator(view.locale);
    const { t, direction } = translator;
    const notices = view.present.filter(notice => !component || concerns(notice, component));
    const outages = flattenTree(view.components).filter(
      one => getReportedState(one) && one.namedBy && (!component || isSelfOrAncestor(one, each => each === component)),
    );
    const shown = [...outages.map(one => toOutage(one, view, t)), ...notices.map(notice => toNotice(notice, view, t))];
    const banner = component ? findBanner(component, outages, notices) : view.banner;
    const { tone, icon } = stateStyles[banner.kind];
    return renderJson({
      page: view.page.name,
      url: pageUrl(view),
      lang: view.locale,
      dir: direction,
      close: t('widget.close'),
      more: shown.length > shownCount ? t('list.more', { count: shown.length - shownCount }) : null,
      banner: { status: banner.kind, text: bannerText(banner, translator), tone, icon: iconPaths[icon] },
      colours: { light: pickColours(view, banner, 'light'), dark: pickColours(view, banner, 'dark') },
      notices: shown,
    });
  },
};

const colourNames = ['page', 'text', 'quiet', 'line', 'link', 'panel', 'panel-text', 'down', 'warn', 'plan'] as const;

/** The colours of the page that the box has, as custom properties. `part` has the colour of `warn`. */
function pickColours(view: PageView, banner: Pick<Banner, 'kind'>, scheme: 'light' | 'dark') {
  const { brand, images } = view;
  const palette = createPalette({ brand, images, banner }, scheme);
  return Object.fromEntries(colourNames.map(name => [name, palette[name]!]));
}

const severity: readonly Banner['kind'][] = [
  'operational',
  'maintenance',
  'degraded',
  'partial-outage',
  'major-outage',
];

/** The sentence about a component: its worst state by what is shown. */
function findBanner(
  component: ComponentView,
  outages: readonly ComponentView[],
  notices: readonly NoticeView[],
): Pick<Banner, 'kind' | 'extent' | 'component'> {
  const kinds = [
    ...outages.map(one => getReportedState(one)!.state as Banner['kind']),
    ...notices.map(notice => (notice.type === 'planned' ? 'maintenance' : findImpact(notice, component))),
  ];
  const worst = Math.max(0, ...kinds.map(kind => severity.indexOf(kind)));
  return { kind: severity[worst]!, extent: worst ? 'one' : 'all', component };
}

/** How an incident affects a component and what is below it. One that names a component above it affects it in part. */
function findImpact(notice: NoticeView, component: ComponentView): ShownImpact {
  const named = notice.components.filter(one => isSelfOrAncestor(one, each => each === component));
  const own = named.map(({ id }) => getShownImpact(notice, id));
  return own.length ? (findWorstImpact(own) ?? 'operational') : defaultImpact;
}

const toNotice = (notice: NoticeView, view: PageView, t: Translator['t']) => ({
  id: notice.id,
  type: notice.type,
  title: notice.subject,
  state: t(`state.${notice.state!}`),
  tone: toBoxTone(getTone(notice)),
  link: noticeUrl(view, notice),
});

const toBoxTone = (tone: Tone) => (tone === 'down' || tone === 'plan' ? tone : 'warn');

/** The state that a person set or an upstream reports, in place of notices. */
const getReportedState = ({ manual, upstream }: ComponentView) =>
  manual ?? (upstream?.isShown ? { ...upstream, note: null } : null);

/** One with an outage or under maintenance without a notice. Another one gets another id: it was not dismissed. */
function toOutage(component: ComponentView, view: PageView, t: Translator['t']) {
  const { id, name, namedBy } = component;
  const { state, note, beganAt } = getReportedState(component)!;
  return {
    id: `component ${id} since ${beganAt.toISOString()}`,
    type: namedBy === 'maintenance' ? 'planned' : 'unplanned',
    title: note ? `${name}: ${note}` : name,
    state: t(`state.${state}`),
    tone: toBoxTone(stateStyles[state].tone),
    link: `${pageUrl(view)}#c${id}`,
  };
}
