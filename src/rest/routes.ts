import type { GraphQLSchema } from 'graphql';
import { type PreparedRoute, prepareRoute } from './operation.js';
import type { Route } from './v1/route.js';
import { componentRoutes } from './v1/components.js';
import { metricRoutes } from './v1/metrics.js';
import { pageSettingsRoutes } from './v1/page-settings.js';
import { noticeRoutes } from './v1/notices.js';
import { pageRoutes } from './v1/pages.js';
import { serviceRoutes } from './v1/service.js';
import { subscriberRoutes } from './v1/subscribers.js';
import { templateRoutes } from './v1/templates.js';
import { updateRoutes } from './v1/updates.js';

export const routes: Route[] = [
  ...serviceRoutes,
  ...pageRoutes,
  ...pageSettingsRoutes,
  ...componentRoutes,
  ...noticeRoutes,
  ...updateRoutes,
  ...templateRoutes,
  ...subscriberRoutes,
  ...metricRoutes,
];

export const prepareRoutes = (schema: GraphQLSchema): PreparedRoute[] =>
  routes.map(route => prepareRoute(schema, route, routes));
