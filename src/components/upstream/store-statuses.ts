import { query } from '../../db/prepared-statements.js';
import { Page } from '../../pages/page.entity.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { recomputeComponentStates } from '../component-states.service.js';
import { Upstream } from './upstream.entity.js';
import type { UpstreamStatus } from './upstream.rules.js';

/** Stores what upstreams say now, by their ids, where that has changed. Nobody is notified. */
export function storeUpstreamStatuses(
  write: Writer,
  pageId: string,
  statuses: ReadonlyMap<number, UpstreamStatus>,
): Promise<void> {
  return write.lockingTransactionOf(pageId, async unit => {
    if (!(await unit.lock(Page, pageId))) return;
    const upstreams = await unit.em.find(Upstream, { id: { $in: [...statuses.keys()] }, page: pageId });
    const changed = upstreams.filter(({ id, status }) => status !== statuses.get(id));
    for (const upstream of changed) {
      await storePeriod(unit, upstream);
      Object.assign(upstream, { status: statuses.get(upstream.id)!, beganAt: unit.now });
    }
    await unit.save();
    const componentIds = changed.map(({ component }) => component.id);
    await recomputeComponentStates(unit.em, pageId, componentIds);
  });
}

/** Keeps what an upstream has said until now, for the history. */
export async function storePeriod({ em, now }: Unit, upstream: Upstream): Promise<void> {
  const { page, component, status, beganAt } = upstream;
  if (status === 'operational') return;
  await query(
    em,
    `insert into upstream_period (page_id, component_id, state, began_at, ended_at) values ($1, $2, $3, $4, $5)
     on conflict (page_id, component_id, began_at) do update set state = excluded.state, ended_at = excluded.ended_at`,
    [page.id, component.id, status, beganAt, now],
  );
}
