import { getTranslator, type Translator } from '../../i18n/translator.js';
import { findRequestedComponent, concerns, noticeUrl, pageUrl } from '../view/urls.js';
import type { PublicRoute } from '../routing/public-route.js';
import { flattenTree, isSelfOrAncestor } from '../../components/component-tree.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';
import { shownCount } from './shown-count.js';
import { toWellFormedJson } from '../../core/well-formed-json.js';

/** The data of `/widget.js`: outages without a notice, and the present notices of the page or of a component. */
export const widget: PublicRoute = {
  path: 'widget.json',
  query: ['component', 'lang'],
  render: (view, parameters) => {
    const component = findRequestedComponent(view, parameters);
    if (component === null) return null;
    const { t, direction } = getTranslator(view.locale);
    const notices = view.present.filter(notice => !component || concerns(notice, component));
    const outages = flattenTree(view.components).filter(
      one => wordOf(one) && one.namedBy && (!component || isSelfOrAncestor(one, each => each === component)),
    );
    const shown = [...outages.map(one => toOutage(one, view, t)), ...notices.map(notice => toNotice(notice, view, t))];
    const body = {
      page: view.page.name,
      url: pageUrl(view),
      lang: view.locale,
      dir: direction,
      close: t('widget.close'),
      more: shown.length > shownCount ? t('list.more', { count: shown.length - shownCount }) : null,
      notices: shown,
    };
    return { type: 'application/json; charset=utf-8', body: toWellFormedJson(body) };
  },
};

const toNotice = (notice: NoticeView, view: PageView, t: Translator['t']) => ({
  id: notice.id,
  type: notice.type,
  title: notice.subject,
  state: t(`state.${notice.state!}`),
  link: noticeUrl(view, notice),
});

/** What a person or an upstream says about a component in place of notices. */
const wordOf = ({ manual, upstream }: ComponentView) =>
  manual ?? (upstream?.isShown ? { ...upstream, note: null } : null);

/** One with an outage or under maintenance without a notice. Another one gets another id: it was not dismissed. */
function toOutage(component: ComponentView, view: PageView, t: Translator['t']) {
  const { id, name, namedBy } = component;
  const { state, note, beganAt } = wordOf(component)!;
  return {
    id: `component ${id} since ${beganAt.toISOString()}`,
    type: namedBy === 'maintenance' ? 'planned' : 'unplanned',
    title: note ? `${name}: ${note}` : name,
    state: t(`state.${state}`),
    link: `${pageUrl(view)}#c${id}`,
  };
}
