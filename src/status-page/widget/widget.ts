import { getTranslator } from '../../i18n/translator.js';
import { findRequestedComponent, concerns, noticeUrl, pageUrl } from '../view/urls.js';
import type { PublicRoute } from '../routing/public-route.js';
import { shownCount } from './shown-count.js';
import { toWellFormedJson } from '../../core/well-formed-json.js';

/** The data of `/widget.js`: the present notices of the page or of a component, incidents before maintenance. */
export const widget: PublicRoute = {
  path: 'widget.json',
  query: ['component', 'lang'],
  render: (view, parameters) => {
    const component = findRequestedComponent(view, parameters);
    if (component === null) return null;
    const { t, direction } = getTranslator(view.locale);
    const notices = view.present.filter(notice => !component || concerns(notice, component));
    const body = {
      page: view.page.name,
      url: pageUrl(view),
      lang: view.locale,
      dir: direction,
      close: t('widget.close'),
      more: notices.length > shownCount ? t('list.more', { count: notices.length - shownCount }) : null,
      notices: notices.map(notice => ({
        id: notice.id,
        type: notice.type,
        title: notice.subject,
        state: t(`state.${notice.state!}`),
        link: noticeUrl(view, notice),
      })),
    };
    return { type: 'application/json; charset=utf-8', body: toWellFormedJson(body) };
  },
};
