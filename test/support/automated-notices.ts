import { beforeEach } from '@jest/globals';
import { createComponent, createNotice, createPage } from './factories.js';
import { type TestService, useOwnService } from './service.js';

const hour = 3_600_000;
export const futureWindow = { begins_at_date: '2099-01-01', begins_at_time: '00:00', duration_in_minutes: 60 };

/** A service, and a new page for each test, so that its state depends on one notice. */
export function useAutomatedPages() {
  const service = useOwnService();
  const automated = {} as Awaited<ReturnType<typeof createAutomatedPage>>;
  beforeEach(async () => {
    Object.assign(automated, await createAutomatedPage(service));
  });
  return { service, automated };
}

/** Creates a page with a component, and helpers for planned notices on it: tests move the windows instead of waiting. */
export async function createAutomatedPage(service: TestService) {
  const path = (await createPage(service, { name: 'Page' })).path;
  const component: number = (await createComponent(service, path, { name: 'A' })).id;

  const get = (id: number) => service.get(`${path}/notices/${id}`);
  /**
   * Moves the window to these milliseconds from now, by the clock of the database.
   * Bypasses the service, so that the move does not arm automatic changes again.
   */
  const moveWindow = async (id: number, beginsInMs: number, endsInMs: number) => {
    const at = (parameter: string) => `clock_timestamp() + ${parameter}::integer * interval '1 millisecond'`;
    await service.database.query(`update notice set begins_at = ${at('$2')}, ends_at = ${at('$3')} where id = $1`, [
      id,
      beginsInMs,
      endsInMs,
    ]);
  };

  return {
    path,
    create: async (values: object = {}): Promise<number> => {
      const body = {
        type: 'planned',
        subject: 'Works',
        ...futureWindow,
        should_automate_schedule: true,
        component_ids: [component],
        ...values,
      };
      return (await createNotice(service, path, body)).id;
    },
    patch: (id: number, values: object) => service.patch(`${path}/notices/${id}`, values),
    read: async (id: number) => (await get(id)).json.response,
    readResponse: async (id: number) => {
      const { text, headers } = await get(id);
      return { text, etag: headers.get('etag')! };
    },
    readVersion: async (id: number) => Number((await get(id)).headers.get('etag')!.split('.')[0]!.slice(1)),
    /** The states of the notice, the component and the page. */
    readStates: async (id: number): Promise<string[]> => {
      const responses = [await get(id), await service.get(`${path}/components/${component}`), await service.get(path)];
      return responses.map(({ json }) => json.response.state);
    },
    moveWindow,
    // 2 ms ago: the column rounds to milliseconds, and a time half a millisecond ahead is not due yet.
    makeStartDue: (id: number) => moveWindow(id, -2, hour),
    makeEndDue: (id: number) => moveWindow(id, -hour, -2),
    makeStartAndEndDue: (id: number) => moveWindow(id, -3 * hour, -2 * hour),
  };
}
