import { locales } from '../../../src/i18n/locales.ts';
import type { UpdatePageInput } from '../api/documents.ts';

interface SettingField {
  name: keyof UpdatePageInput;
  label: string;
  hint?: string;
  kind: 'text' | 'number' | 'switch' | 'zone' | Record<string, string>;
}

const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });
const languageNames = Object.fromEntries(
  locales
    .map(code => [code, names.of(code) ?? code] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, 'en')),
);

/** The settings of a page, in their groups. */
export const groups: { title: string; fields: SettingField[] }[] = [
  {
    title: 'Page',
    fields: [
      { name: 'name', label: 'Name', kind: 'text' },
      { name: 'locale', label: 'Language', kind: languageNames },
      { name: 'timezone', label: 'Time zone', kind: 'zone' },
      {
        name: 'timelineSortOrder',
        label: 'Order of updates',
        kind: { DESC: 'Newest first', ASC: 'Oldest first' },
      },
      { name: 'shouldShowUptime', label: 'Show the uptime of components', kind: 'switch' },
      {
        name: 'shouldShowResponseStatistics',
        label: 'Show how fast updates came',
        hint: 'The history has the median time to the first update, and how many promised updates came on time.',
        kind: 'switch',
      },
      { name: 'isVisibleToSearch', label: 'Let search engines list the page', kind: 'switch' },
    ],
  },
  {
    title: 'Notifications',
    fields: [
      {
        name: 'holdSeconds',
        label: 'Delay before messages are sent, in seconds',
        hint: 'From 0 to 60. During this time you can stop a publication before anyone receives a message.',
        kind: 'number',
      },
      {
        name: 'staleAfterMinutes',
        label: 'Minutes without an update after which a notice is stale',
        hint:
          'Then the page says so, and a mail reminds the author, later the owners. A maintenance has 30 minutes ' +
          'after its end. 0: never.',
        kind: 'number',
      },
      {
        name: 'shouldSendMonthlyReport',
        label: 'Mail a report of each month',
        hint: 'To the owners of the page, on the first day of the next month.',
        kind: 'switch',
      },
      {
        name: 'reminder',
        label: 'Default reminder before maintenance',
        kind: { NONE: 'None', ONE_HOUR: 'One hour before', ONE_DAY: 'One day before', THREE_DAYS: 'Three days before' },
      },
    ],
  },
  {
    title: 'Support',
    fields: [
      { name: 'supportEmail', label: 'E-mail', kind: 'text' },
      { name: 'supportTelephone', label: 'Telephone', kind: 'text' },
      { name: 'supportUrl', label: 'Web address', kind: 'text' },
    ],
  },
  {
    title: 'Links in the footer',
    fields: [
      { name: 'websiteUrl', label: 'Website', kind: 'text' },
      { name: 'privacyUrl', label: 'Privacy policy', kind: 'text' },
      { name: 'termsUrl', label: 'Terms of use', kind: 'text' },
    ],
  },
  {
    title: 'Search engines',
    fields: [
      { name: 'metaTitle', label: 'Title', kind: 'text' },
      { name: 'metaDescription', label: 'Description', kind: 'text' },
    ],
  },
];
