import { switchName } from '../../notifications/channels/registry.js';
import { type FileChannel, type PageFile, PageFileError, type PageState, type StoredChannel } from './page-file.js';
import { planComponents } from './plan-components.js';
import { planList } from './plan-list.js';
import { listNames, recordLists } from './record-lists.js';
import { compareValues, createDeletion, type RecordKind, type SectionPlan, type Step, toInput } from './step.js';

interface PlanOptions {
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
  const lists = listNames.map(name =>
    planList(recordLists[name].kind, current[name], desired[name], components.components),
  );
  const unlistedRecords = lists.flatMap(({ unlisted }) => unlisted);
  const unlistedOthers = [...components.unlisted, ...channels.unlisted];
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
      // A list has a maximum length: what is deleted makes room for what is created.
      ...(prune ? unlistedRecords : []),
      ...lists.flatMap(({ steps }) => steps),
      ...(prune ? unlistedOthers : []),
    ],
    unlisted: prune ? {} : countByKind([...unlistedRecords, ...unlistedOthers]),
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
      action: 'change',
      kind,
      id: page.id,
      name,
      changes,
      input: toInput(changes),
      version: page.version,
      source: desired,
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
      action: 'change',
      kind: 'brand',
      id: null,
      name: 'brand',
      changes,
      input: toInput(changes),
      version: brand?.version,
      source: desired,
    },
  ];
}

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
