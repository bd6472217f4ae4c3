/** A product from which pages can be moved here: what its form asks for. */
export interface Product {
  from: string;
  label: string;
  /** What can be uploaded. */
  files: string;
  accept: string;
  /** One file, under this name. */
  only?: string;
  hasApi?: boolean;
  /** Which page of the product it is: beside a token, or in a file that has several. */
  sourcePage?: string;
  needsTimeZone?: boolean;
  /** It does not say what the page is called, so it can be added to a page alone. */
  needsPage?: boolean;
  /** Its file is not taken from those who own single pages only. */
  needsAllPages?: boolean;
}

const json = { accept: '.json,application/json' };

export const products: readonly Product[] = [
  {
    from: 'statuspage',
    label: 'Statuspage',
    ...json,
    hasApi: true,
    sourcePage: 'Page ID',
    files: 'page.json, components.json, component-groups.json, incidents.json and subscribers.json',
  },
  {
    from: 'instatus',
    label: 'Instatus',
    ...json,
    hasApi: true,
    sourcePage: 'Page ID',
    files: 'page.json, components.json, incidents.json, maintenances.json and subscribers.json',
  },
  {
    from: 'betterstack',
    label: 'Better Stack',
    ...json,
    hasApi: true,
    sourcePage: 'Page ID',
    files: 'status-page.json, sections.json, resources.json, status-reports.json and status-updates.json',
  },
  {
    from: 'uptime-kuma',
    label: 'Uptime Kuma',
    accept: '.db',
    only: 'kuma.db',
    needsAllPages: true,
    files: 'its database kuma.db',
    sourcePage: 'Slug of the page, if there are several',
  },
  {
    from: 'cachet',
    label: 'Cachet',
    ...json,
    needsTimeZone: true,
    needsPage: true,
    files:
      'component-groups.json, components.json, incidents.json, incident-updates.json, schedules.json ' +
      'and subscribers.json',
  },
  {
    from: 'csv',
    label: 'CSV',
    accept: '.csv,text/csv',
    only: 'list.csv',
    needsPage: true,
    files: 'subscribers, with a line of column names, or in the form of Statuspage',
  },
];
