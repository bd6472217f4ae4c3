import { Gauge } from 'prom-client';
import type { Database } from '../../db/database.js';
import { computeDisplayedStates, type DisplayedState } from '../../status-page/html/status-icons.js';
import type { PageLoader } from '../../status-page/server/page-loader.js';

/** From good to bad, as the page shows them. A state that is unknown has no value. */
const values: Record<Exclude<DisplayedState, 'unknown'>, number> = {
  operational: 0,
  maintenance: 1,
  degraded: 2,
  'partially-degraded': 2,
  'partial-outage': 3,
  'major-outage': 4,
};

/** Each component is a time series; the pages are kept in memory as for visitors. */
const maxPages = 500;

/** The states of the components of all pages, private ones included, as the pages show them. */
export const createComponentGauge = (database: Pick<Database, 'query'>, pages: Pick<PageLoader, 'getGeneration'>) =>
  new Gauge({
    name: 'all_clear_component_state',
    help: 'The state of a component: 0 operational, 1 maintenance, 2 degraded, 3 partial outage, 4 major outage.',
    labelNames: ['page', 'component', 'name'],
    registers: [],
    async collect() {
      this.reset();
      // Without a response of the database there are no values, as for the other metrics of all processes.
      const rows = await database
        .query<{ id: string }>('select id from page order by created_at, id limit $1', [maxPages])
        .catch(() => []);
      for (const { id } of rows) {
        const generation = await pages.getGeneration(id).catch(() => null);
        if (!generation) continue;
        const view = generation.getView('host', null);
        const states = computeDisplayedStates(view);
        for (const component of view.componentsById.values()) {
          const state = states.get(component.id) ?? 'operational';
          if (state === 'unknown') continue;
          this.set({ page: id, component: String(component.id), name: component.name }, values[state]);
        }
      }
    },
  });
