import { componentDocuments, componentRoutes } from './components.js';
import { groupDocuments, groupRoutes } from './component-groups.js';
import { importedIdDocuments } from './imported-ids.js';
import { incidentDocuments } from './incident-documents.js';
import { postmortemDocuments, postmortemRoutes } from './incident-postmortem.js';
import { templateDocuments, templateRoutes } from './incident-templates.js';
import { incidentUpdateDocuments, incidentUpdateRoutes } from './incident-updates.js';
import { incidentRoutes } from './incidents.js';
import { metricDocuments, metricRoutes } from './metrics.js';
import { metricProviderRoutes } from './metric-providers.js';
import { pageDocuments, pageRoutes } from './pages.js';
import { subscriberDocuments, subscriberRoutes } from './subscribers.js';
import { webhookDocuments } from './webhook-subscribers.js';
import type { StatuspageRoute } from './route.js';

/** In the order in which they are matched. */
export const statuspageRoutes: readonly StatuspageRoute[] = [
  ...pageRoutes,
  ...componentRoutes,
  ...groupRoutes,
  ...incidentRoutes,
  ...incidentUpdateRoutes,
  ...postmortemRoutes,
  ...templateRoutes,
  ...subscriberRoutes,
  ...metricRoutes,
  ...metricProviderRoutes,
];
export const statuspageDocuments: readonly string[] = [
  ...importedIdDocuments,
  ...pageDocuments,
  ...componentDocuments,
  ...groupDocuments,
  ...incidentDocuments,
  ...incidentUpdateDocuments,
  ...postmortemDocuments,
  ...templateDocuments,
  ...subscriberDocuments,
  ...webhookDocuments,
  ...metricDocuments,
];
