import { channels, configured } from '../../src/notifications/page-channels/channel-names.js';

/** Imported before anything that writes SQL: in this file every channel is configured, on every page. */
for (const channel of channels) configured[channel] = 'true';
