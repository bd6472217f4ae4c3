import type { DnsOptions } from '../pages/custom-domain/custom-domain.service.js';
import type { Database } from '../db/database.js';
import { poll } from '../db/poll.js';
import { createInputFormat } from '../notices/drafts/input-format.js';
import { startNoticeAutomation } from '../notices/automation/notice.automation.js';
import { schema } from '../schema.js';
import { listAutomationTasks } from './background-tasks.js';
import { createVacuumTask } from './retention/vacuum.js';
import type { ServiceParts } from './service-parts.js';
import { startNotifications } from './start-notifications.js';

type BackgroundParts = Pick<ServiceParts, 'settings' | 'shutdown' | 'monitoring' | 'channels' | 'upstreams'>;

/** Starts what the service does by itself: sending notifications, advancing notices, and deleting what is old. */
export function startBackground(
  { settings, shutdown, monitoring: { heartbeats }, channels, upstreams }: BackgroundParts,
  database: Database,
  dns: DnsOptions,
): void {
  if (database.embedded) shutdown.addActivity(poll(createVacuumTask(database), database.log, heartbeats));
  if (settings.worker) shutdown.addActivity(startNotifications(database, settings, channels, heartbeats));
  if (!settings.automation) return;
  shutdown.addActivity(
    startNoticeAutomation(database, createInputFormat(schema), settings, heartbeats.expect('the automation')),
    ...listAutomationTasks(database, settings, dns, upstreams).map(task => poll(task, database.log, heartbeats)),
  );
}
