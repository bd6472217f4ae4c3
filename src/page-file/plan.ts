import { switchName } from '../notifications/channels/registry.js';
import type { FileChannel, FileTemplate, PageFile, PageState, StoredChannel, StoredTemplate } from './page-file.js';
import { PageFileError, refuseUnknown } from './page-file.js';
import { type ComponentPlan, describePath, planComponents } from './plan-components.js';
import { resolveReferences } from './component-references.js';
import { compareValues, createDeletion, type RecordKind, type Step, toInput } from './step.js';

export interface PlanOptions {
  /** Deletes what a section of the file does not list. */
  prune: boolean;
  /** Writes the credentials of channels again, which cannot be read back and compared. */
  rewritesCredentials: boolean;
}

export interface Plan {
  steps: Step[];
  /** How many records are not in the file and stay, by kind. */
  unlisted: Partial<Record<RecordKind, number>>;
}

/** The writes that make a page what the file says, and no others; in the order in which they can be made. */
export function plan(current: PageState, desired: PageFile, { prune, rewritesCredentials }: PlanOptions): Plan {
  const channels = planChannels(current.channels, desired.channels, rewritesCredentials);
  const components = planComponents(current.components, desired.components, prune);
  const templates = planTemplates(current.templates, desired.templates, components.components);
  const unlisted = [...templates.unlisted, ...components.unlisted, ...channels.unlisted];
  const settings = planPage(current, desired, channels.steps);
  const [creation, change] = current.page ? [[], settings] : [settings, []];
  return {
    steps: [
      ...creation,
      // The switch of a channel can be set once it is configured.
      ...channels.steps,
      ...change,
      ...planBrand(current, desired),
      ...components.steps,
      ...templates.steps,
      ...(prune ? unlisted : []),
    ],
    unlisted: prune ? {} : countByKind(unlisted),
  };
}

function countByKind(steps: readonly Step[]): Plan['unlisted'] {
  const groups = Map.groupBy(steps, ({ kind }) => kind);
  return Object.fromEntries([...groups].map(([kind, members]) => [kind, members.length]));
}

function planPage({ page }: PageState, { page: desired }: PageFile, channelSteps: readonly Step[]): Step[] {
  const kind = 'page';
  if (!page) {
    const changes = compareValues(undefined, desired);
    const name = String(desired.values.name);
    return [{ action: 'create', kind, id: null, name, changes, input: toInput(changes), source: desired }];
  }
  // A channel that is configured now is on, whatever its switch was read as before.
  const switches = channelSteps.filter(({ action }) => action === 'create').map(({ id }) => [toSwitch(id!), null]);
  const changes = compareValues({ ...page.values, ...Object.fromEntries(switches) }, desired);
  if (!changes.length) return [];
  const name = String(page.values.name);
  return [
    {
      ...{ action: 'change', kind, id: page.id, name },
      ...{ changes, input: toInput(changes), version: page.version, source: desired },
    },
  ];
}

const toSwitch = (enumName: string) => switchName({ enumName });

function planBrand({ brand }: PageState, { brand: desired }: PageFile): Step[] {
  if (!desired) return [];
  const changes = compareValues(brand?.values, desired);
  if (!changes.length) return [];
  return [
    {
      ...{ action: 'change', kind: 'brand', id: null, name: 'brand', changes },
      ...{ input: toInput(changes), version: brand?.version, source: desired },
    },
  ];
}

interface SectionPlan {
  steps: Step[];
  unlisted: Step[];
}

/** By id, or else by name. */
function planTemplates(
  stored: readonly StoredTemplate[],
  desired: readonly FileTemplate[] | null,
  components: ComponentPlan['components'],
): SectionPlan {
  if (!desired) return { steps: [], unlisted: [] };
  const byId = new Map(stored.map(template => [template.id, template]));
  refuseUnknown(
    'template',
    desired.filter(({ id }) => id !== null && !byId.has(id)),
  );
  const claimed = new Set(desired.map(({ id }) => id));
  const free = new Set(stored.filter(({ id }) => !claimed.has(id)));
  const steps = desired.flatMap((template, index) => {
    const { name } = template.values;
    const match = template.id === null ? [...free].find(({ values }) => values.name === name) : byId.get(template.id);
    if (match) free.delete(match);
    return planTemplate(match, template, `new template:${index}`, components);
  });
  const unlisted = [...free].map(({ id, version, values }) =>
    createDeletion('template', id, String(values.name), version),
  );
  return { steps, unlisted };
}

function planTemplate(
  match: StoredTemplate | undefined,
  template: FileTemplate,
  newId: string,
  components: ComponentPlan['components'],
): Step[] {
  const ids = template.components && resolveReferences(template.components, components);
  const changes = compareValues(match?.values, template);
  const input = toInput(changes);
  const idsBefore = match?.componentIds ?? [];
  if (ids && !haveSameMembers(ids, idsBefore)) {
    const describe = (list: readonly string[]) => list.map(id => describePath(components, id) || id);
    changes.push({ field: 'components', ...(match && { before: describe(idsBefore) }), after: describe(ids) });
    input.componentIds = ids;
  }
  if (match && !changes.length) return [];
  const name = String(template.values.name);
  const step = { kind: 'template', name, changes, input, source: template } as const;
  return [
    match
      ? { ...step, action: 'change', id: match.id, version: match.version }
      : { ...step, action: 'create', id: newId },
  ];
}

const haveSameMembers = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every(id => other.includes(id));

/** The API returns the host of a channel alone, so another host is all of its credentials that is noticed. */
function planChannels(
  stored: readonly StoredChannel[],
  desired: readonly FileChannel[] | null,
  rewritesCredentials: boolean,
): SectionPlan {
  if (!desired) return { steps: [], unlisted: [] };
  const configured = new Map(stored.filter(one => one.isConfigured).map(one => [one.channel, one.host]));
  const steps = desired.flatMap(({ channel, credentials, missing, line }): Step[] => {
    const before = configured.get(channel);
    const source = { line, lines: {} };
    if (!credentials) {
      if (before !== undefined && !rewritesCredentials) return [];
      throw new PageFileError([{ line, text: `The variable ${missing.join(' and ')} is not set.` }]);
    }
    const { host } = new URL(credentials.url);
    if (before === host && !rewritesCredentials) return [];
    const changes =
      before === host
        ? [{ field: 'credentials', after: 'written again' }]
        : [{ field: 'host', ...(before !== undefined && { before }), after: host }];
    const action = before === undefined ? 'create' : 'change';
    return [
      { action, kind: 'channel', id: channel, name: channel, changes, input: { channel, ...credentials }, source },
    ];
  });
  const listed = new Set(desired.map(({ channel }) => channel));
  const unlisted = [...configured.keys()]
    .filter(channel => !listed.has(channel))
    .map(channel => ({ ...createDeletion('channel', channel, channel), input: { channel } }));
  return { steps, unlisted };
}
