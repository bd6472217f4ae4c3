import { textsOf } from '../../i18n/translator.js';
import { askedComponent, concerns, noticeAddress } from '../view/urls.js';
import type { Face } from '../server/public-route.js';
import { jsonText } from '../server/json-body.js';

/** What `/widget.js` shows on other sites: what is going on now, incidents before maintenance, of the page or of a component. An unknown component is a 404. */
export const widget: Face = {
  path: 'widget.json',
  query: ['component', 'lang'],
  draw: (view, asked) => {
    const component = askedComponent(view, asked);
    if (component === null) return null;
    const { t, direction } = textsOf(view.locale);
    const notices = view.present.filter(notice => !component || concerns(notice, component));
    const body = {
      page: view.page.name,
      lang: view.locale,
      dir: direction,
      close: t('widget.close'),
      notices: notices.map(notice => ({
        id: notice.id,
        type: notice.type,
        title: notice.subject,
        state: t(`state.${notice.state!}`),
        link: noticeAddress(view, notice),
      })),
    };
    return { type: 'application/json; charset=utf-8', body: jsonText(body) };
  },
};
