import { configured } from '../../src/notifications/page-channels/channel-names.js';

/** To be imported before anything that writes SQL: mail and SMS are configured, whatever the settings of the tests say. */
Object.assign(configured, { email: 'true', sms: 'true' });
