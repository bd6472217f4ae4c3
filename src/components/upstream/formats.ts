import { z } from 'zod';
import type { ManualComponentStatus } from '../manual-status.rules.js';
import type { ParseEach } from './parse-each.js';
import type { UpstreamStatus } from './upstream.rules.js';

/** A component of another status page. */
export interface UpstreamComponent {
  id: string;
  name: string;
  /** The name of its group. */
  group: string | null;
  status: UpstreamStatus;
}

interface Format {
  description: string;
  /** Below the address of the status page. */
  path: string;
  /** Fails where the response has another shape. */
  read(response: unknown, parseEach: ParseEach): Promise<UpstreamComponent[]>;
}

const name = z.string().trim().min(1).max(500);
const items = z.array(z.unknown()).max(10_000);
const componentsShape = z.object({ components: items });
const id = z.union([z.string().min(1).max(200), z.int().transform(String)]);

const toStatus = (statuses: Record<string, ManualComponentStatus>, status: string): UpstreamStatus =>
  Object.hasOwn(statuses, status) ? statuses[status]! : 'unknown';

const statuspageStatuses: Record<string, ManualComponentStatus> = {
  operational: 'operational',
  degraded_performance: 'degraded',
  partial_outage: 'partial-outage',
  major_outage: 'major-outage',
  full_outage: 'major-outage',
  under_maintenance: 'maintenance',
};
const statuspageComponent = z.object({ id, name, status: z.string(), group_id: id.nullish() });

const instatusStatuses: Record<string, ManualComponentStatus> = {
  OPERATIONAL: 'operational',
  DEGRADEDPERFORMANCE: 'degraded',
  PARTIALOUTAGE: 'partial-outage',
  MAJOROUTAGE: 'major-outage',
  UNDERMAINTENANCE: 'maintenance',
};
const instatusComponent = z.object({ id, name, status: z.string(), group: z.object({ name }).nullish().catch(null) });
const instatusParent = instatusComponent.extend({ children: z.array(z.unknown()).nullish().catch(null) });

const pageApiStatuses: Record<string, ManualComponentStatus> = {
  operational: 'operational',
  degraded: 'degraded',
  'partially-degraded': 'degraded',
  under_maintenance: 'maintenance',
};
const pageApiComponent = z.object({ id, name, state: z.string(), parent_id: id.nullish() });

const betterStackStatuses: Record<string, ManualComponentStatus> = {
  operational: 'operational',
  degraded: 'degraded',
  downtime: 'major-outage',
  maintenance: 'maintenance',
};
const betterStackShape = z.object({ data: z.object({ type: z.literal('status_page') }), included: items });
const betterStackRecord = z.object({ id, type: z.string(), attributes: z.record(z.string(), z.unknown()) });
const betterStackSection = z.object({ id, name: z.string().nullish().catch(null) });
const betterStackResource = z.object({
  id,
  public_name: name,
  // Null, and `not_monitored`: nothing is known of it.
  status: z.string().nullish(),
  status_page_section_id: id.nullish().catch(null),
});

/** In the order in which they are tried where the format is not known. */
export const formats = {
  statuspage: {
    description: 'Atlassian Statuspage, incident.io and All Clear: `/api/v2/summary.json`.',
    path: 'api/v2/summary.json',
    read: async (response, parseEach) =>
      withGroups(
        (await parseEach(statuspageComponent, componentsShape.parse(response).components)).map(
          ({ status, group_id: parent, ...component }) => ({
            ...component,
            parent,
            status: toStatus(statuspageStatuses, status),
          }),
        ),
      ),
  },
  instatus: {
    description: 'Instatus: `/v2/components.json`.',
    path: 'v2/components.json',
    read: async (response, parseEach) => {
      const parents = await parseEach(instatusParent, componentsShape.parse(response).components);
      const families: z.infer<typeof instatusComponent>[][] = [];
      for (const { children, ...component } of parents) {
        const parsed = children?.length ? await parseEach(instatusComponent, children).catch(() => []) : [];
        families.push([component, ...parsed.map(child => ({ ...child, group: { name: component.name } }))]);
      }
      return families.flat().map(({ status, group, ...one }) => ({
        ...one,
        group: group?.name ?? null,
        status: toStatus(instatusStatuses, status),
      }));
    },
  },
  'page-api': {
    description: 'Sorry and All Clear: `/api/v1/components.json`, of which the first page is read.',
    path: 'api/v1/components.json',
    read: async (response, parseEach) =>
      withGroups(
        (await parseEach(pageApiComponent, componentsShape.parse(response).components)).map(
          ({ state, parent_id: parent, ...component }) => ({
            ...component,
            parent,
            status: toStatus(pageApiStatuses, state),
          }),
        ),
      ),
  },
  'better-stack': {
    description: 'Better Stack: `/index.json`.',
    path: 'index.json',
    read: async (response, parseEach) => {
      const included = await parseEach(betterStackRecord, betterStackShape.parse(response).included);
      const listAttributes = (wanted: string) =>
        included.filter(({ type }) => type === wanted).map(({ id, attributes }) => ({ ...attributes, id }));
      const sections = new Map(
        (await parseEach(betterStackSection, listAttributes('status_page_section'))).map(({ id, name }) => [
          id,
          name?.trim() || null,
        ]),
      );
      const resources = await parseEach(betterStackResource, listAttributes('status_page_resource'));
      return resources.map(({ id, public_name: name, status, status_page_section_id: section }) => ({
        id,
        name,
        group: sections.get(section ?? '') ?? null,
        status: toStatus(betterStackStatuses, status ?? ''),
      }));
    },
  },
} as const satisfies Record<string, Format>;

export type UpstreamFormat = keyof typeof formats;
export const formatNames = Object.keys(formats) as UpstreamFormat[];

function withGroups(
  components: (Omit<UpstreamComponent, 'group'> & { parent?: string | null })[],
): UpstreamComponent[] {
  const names = new Map(components.map(({ id, name }) => [id, name]));
  return components.map(({ parent, ...component }) => ({ ...component, group: names.get(parent ?? '') ?? null }));
}

/** A pattern for those at the end takes quadratic time for slashes within the path. */
function trimSlashes(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

/** The address of the status page: without the path of a format, whose name it tells. */
export function splitFormat(address: URL): { url: string; format: UpstreamFormat | null } {
  const path = trimSlashes(address.pathname);
  const format = formatNames.find(one => `/${path}`.endsWith(`/${formats[one].path}`)) ?? null;
  const base = format ? trimSlashes(path.slice(0, path.length - formats[format].path.length)) : path;
  return { url: `${address.origin}${base && `/${base}`}`, format };
}
