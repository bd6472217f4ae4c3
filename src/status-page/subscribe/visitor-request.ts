import { getMessageImagePath } from '../../pages/branding/brand-image.js';
import type { MailSender } from '../../notifications/messages/mail-blocks.js';
import type { VisitorRequest } from '../../notifications/messages/visitor-messages.js';
import type { RenderContext } from '../html/render-context.js';

/** What a message to a visitor has of the page. */
export const toVisitorRequest = ({ view, translator }: RenderContext, to: string): VisitorRequest => ({
  to,
  page: { name: view.page.name, address: view.mount.canonical, brand: view.brand, images: toMessageImages(view) },
  translator,
});

/** The images of the brand for mails; none of a private page, which mail clients cannot load. */
function toMessageImages({ page, images, mount }: RenderContext['view']): MailSender['images'] {
  const toImage = (role: 'logo' | 'logoDark') => {
    const image = images[role];
    if (!image) return {};
    const { width, height } = image;
    return { [role]: { url: `${mount.canonical}${getMessageImagePath(role, image)}`, width, height } };
  };
  return page.access ? undefined : { ...toImage('logo'), ...toImage('logoDark') };
}
