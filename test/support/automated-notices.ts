import { expect } from '@jest/globals';
import type { TestService } from './service.js';

const hour = 3_600_000;
export const window = { begins_at_date: '2099-01-01', begins_at_time: '00:00', duration_in_minutes: 60 };

/** A new page with one component, and the planned notices on it, whose time is made to come rather than waited for. */
export async function newPageOfMaintenances(service: TestService) {
  const path = `/v1/pages/${(await service.post('/v1/pages', { name: 'Page' })).json.response.id}`;
  const component: number = (await service.post(`${path}/components`, { name: 'A' })).json.response.id;

  const get = (id: number) => service.get(`${path}/notices/${id}`);
  /** Moves the window so that it begins and ends so many milliseconds from now, by the database's clock; behind the service's back, so nothing is armed by it. */
  const shift = async (id: number, begins: number, ends: number) => {
    const at = (parameter: string) => `clock_timestamp() + ${parameter}::integer * interval '1 millisecond'`;
    await service.database.query(`update notice set begins_at = ${at('$2')}, ends_at = ${at('$3')} where id = $1`, [
      id,
      begins,
      ends,
    ]);
  };

  return {
    path,
    create: async (values: object = {}): Promise<number> => {
      const body = {
        type: 'planned',
        subject: 'Works',
        ...window,
        should_automate_schedule: true,
        component_ids: [component],
        ...values,
      };
      const answer = await service.post(`${path}/notices`, body);
      expect([answer.status, answer.json.messages]).toEqual([201, undefined]);
      return answer.json.response.id;
    },
    patch: (id: number, values: object) => service.patch(`${path}/notices/${id}`, values),
    read: async (id: number) => (await get(id)).json.response,
    whole: async (id: number) => {
      const { text, headers } = await get(id);
      return { text, etag: headers.get('etag')! };
    },
    version: async (id: number) => Number((await get(id)).headers.get('etag')!.split('.')[0]!.slice(1)),
    /** Of the notice, the component and the page. */
    states: async (id: number): Promise<string[]> => {
      const answers = [await get(id), await service.get(`${path}/components/${component}`), await service.get(path)];
      return answers.map(({ json }) => json.response.state);
    },
    shift,
    // Just past: the column rounds to the millisecond, and half of one ahead is not yet due.
    toBegin: (id: number) => shift(id, -2, hour),
    toEnd: (id: number) => shift(id, -hour, -2),
    toBePast: (id: number) => shift(id, -3 * hour, -2 * hour),
  };
}
