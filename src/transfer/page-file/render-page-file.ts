import { stringify } from 'yaml';
import type { PageFileFields } from './page-file.fields.js';
import type { PageState, StoredComponent, StoredListed, Values } from './page-file.js';
import { describePath, planComponents } from './plan-components.js';
import { mapLists } from './record-lists.js';
import { channels as allChannels, switchName } from '../../notifications/channels/registry.js';

const switchNames = new Set<string>(allChannels.map(switchName));

/** A page as the file that applies without a change. */
export function renderPageFile(state: PageState, fields: PageFileFields, format: 'yaml' | 'json'): string {
  const { page, brand, components, channels } = state;
  const planned = planComponents(components, null, false).components;
  const paths = [...planned.values()].map(({ id, name }) => ({ id, name, path: describePath(planned, id) }));
  const refer = (id: string) => {
    const { name, path } = paths.find(one => one.id === id)!;
    const names = (text: string) => paths.filter(one => one.id === text || one.name === text || one.path === text);
    return [name, path].find(text => names(text).length === 1) ?? id;
  };
  const configured = channels.filter(({ isConfigured }) => isConfigured).map(({ channel }) => channel);
  // A switch reads as off while the channel is not configured, and as on by default: the file has what is switched off.
  const switchedOff = new Set<string>(configured.map(channel => switchName({ enumName: channel })));
  const settings = Object.entries(page!.values).filter(
    ([name, value]) => !switchNames.has(name) || (switchedOff.has(name) && value === false),
  );
  const file = {
    page: { id: page!.id, ...withoutNulls(Object.fromEntries(settings)) },
    brand: withoutNulls(brand!.values),
    components: renderComponents(components, null),
    ...mapLists(name => state[name].map(record => renderListed(record, refer))),
    channels: Object.fromEntries(
      configured
        .filter(channel => channel in fields.channels)
        .map(channel => [channel, renderChannel(channel, fields.channels[channel]!)]),
    ),
  };
  return format === 'json' ? `${JSON.stringify(file, null, 2)}\n` : stringify(file, { lineWidth: 0 });
}

/** A field that is null need not be in the file, and a person reads less. */
const withoutNulls = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function renderComponents(components: readonly StoredComponent[], parentId: string | null): object[] {
  return components
    .filter(component => component.parentId === parentId)
    .map(({ id, values }) => {
      const children = renderComponents(components, id);
      return { id: Number(id), ...withoutNulls(values), ...(children.length && { components: children }) };
    });
}

const renderListed = ({ id, values, componentIds }: StoredListed, refer: (id: string) => string) => ({
  id,
  ...withoutNulls(values),
  ...(componentIds.length && { components: componentIds.map(refer) }),
});

const renderChannel = (channel: string, { hasToken }: { hasToken: boolean }) => ({
  url: `\${${channel}_URL}`,
  ...(hasToken && { token: `\${${channel}_TOKEN}` }),
});
