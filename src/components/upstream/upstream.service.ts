import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { Validation } from '../../core/validation.js';
import { query } from '../../db/prepared-statements.js';
import { parseTargetUrl } from '../../http/target-url.js';
import { Page } from '../../pages/page.entity.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import type { RecordChange } from '../component.service.js';
import { findComponent } from '../find-components.js';
import { recomputeComponentStates } from '../component-states.service.js';
import { splitFormat, type UpstreamComponent, type UpstreamFormat } from './formats.js';
import type { UpstreamReader } from './read-upstream.js';
import { storePeriod } from './store-statuses.js';
import { Upstream } from './upstream.entity.js';
import type { FollowUpstreamInput, ReadUpstreamInput } from './upstream.inputs.js';

/** A status page as it is now. */
export interface UpstreamPage {
  url: string;
  format: UpstreamFormat;
  components: UpstreamComponent[];
}

/** Reads a status page for a person who may change the page. The audit log has it: it is an outgoing request. */
export async function readUpstreamPage(
  write: Writer,
  reader: UpstreamReader,
  pageId: string,
  input: ReadUpstreamInput,
): Promise<UpstreamPage> {
  await write.lockingTransaction(unit => unit.find<Page>([[Page, pageId]]));
  return requestPage(reader, input);
}

/** With the others that follow the status page, which is asked once for all. */
const firstPollSql = `
  update upstream u set next_poll_at = coalesce(
    (select min(o.next_poll_at) from upstream o
     where o.page_id = u.page_id and o.url = u.url and o.format = u.format and o.id <> u.id),
    clock_timestamp() + interval '1 minute')
  where u.component_id = $1`;

/** Lets a component follow one of another status page, which is read now. */
export async function followUpstream(
  write: Writer,
  reader: UpstreamReader,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: FollowUpstreamInput,
): Promise<RecordChange> {
  // Before the request, which is not made for a component that does not exist.
  await write.readOnly(unit => findComponent(unit, pageId, id, versions));
  const { url, format, components } = await requestPage(reader, input);
  const remote = findRemote(components, input.component);
  return write.lockingTransaction(async unit => {
    const component = await findComponent(unit, pageId, id, versions);
    await endUpstream(unit, component.id);
    unit.touch(component);
    const { page } = component;
    const said = { status: remote.status, beganAt: unit.now, answeredAt: unit.now, failure: null };
    unit.em.persist(
      unit.em.create(Upstream, { page, component, url, format, remoteId: remote.id, remoteName: remote.name, ...said }),
    );
    await unit.save();
    await query(unit.em, firstPollSql, [component.id]);
    return toChange(unit, pageId, component.id);
  });
}

export function unfollowUpstream(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
): Promise<RecordChange> {
  return write.lockingTransaction(async unit => {
    const component = await findComponent(unit, pageId, id, versions);
    if (await endUpstream(unit, component.id)) unit.touch(component);
    await unit.save();
    return toChange(unit, pageId, component.id);
  });
}

async function endUpstream(unit: Unit, componentId: number): Promise<boolean> {
  const upstream = await unit.em.findOne(Upstream, { component: componentId });
  if (!upstream) return false;
  await storePeriod(unit, upstream);
  unit.em.remove(upstream);
  // Before another begins: a component has one at most, and a flush inserts before it deletes.
  await unit.save();
  return true;
}

const toChange = async (unit: Unit, pageId: string, id: number): Promise<RecordChange> => ({
  pageId,
  recordId: id,
  componentIds: [...new Set([id, ...(await recomputeComponentStates(unit.em, pageId, [id]))])],
});

async function requestPage(reader: UpstreamReader, input: ReadUpstreamInput): Promise<UpstreamPage> {
  const validation = new Validation();
  const address = parseTargetUrl(validation, input.url, reader.guard.allowPrivate);
  validation.throwIfInvalid();
  const { url, format } = splitFormat(address!);
  const result = await reader.detect(url, input.format ?? format);
  if ('reason' in result)
    throw invalid({
      url: [problems.unusable(`must be the address of a status page that can be read. ${result.reason}`)],
    });
  return { url, ...result };
}

function findRemote(components: readonly UpstreamComponent[], given: string): UpstreamComponent {
  const text = given.trim();
  const byName = components.filter(({ name }) => name === text);
  const found = components.find(({ id }) => id === text) ?? (byName.length === 1 ? byName[0] : undefined);
  if (found) return found;
  throw invalid({
    component: [
      text
        ? problems.notFound('must be the id of a component of the status page, or a name that only one of them has')
        : problems.blank,
    ],
  });
}
