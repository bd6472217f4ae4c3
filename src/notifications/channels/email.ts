import { parseEmailAddress } from '../../core/address.js';
import type { SubscriberChannelDefinition } from './channel.js';

export const email: SubscriberChannelDefinition<'email', 'EMAIL', null> = {
  name: 'email',
  enumName: 'EMAIL',
  label: 'E-mail',
  recipients: 'subscribers',
  settings: ['SMTP_URL', 'MAIL_FROM'],
  configuredVariable: 'isEmailConfigured',
  addressColumn: 'email',
  parseAddress: parseEmailAddress,
  concurrency: 24,
  showsEarlierUpdates: true,
  preview: null,
};
