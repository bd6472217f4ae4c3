import { toLocalTime } from '../i18n/local-time.js';

/**
 * The time zones that a page can use: display names, which clients send and show, and tz database identifiers.
 * The names are fixed, since clients have stored them. Several names can share a zone.
 */
export const timeZones: readonly { name: string; zone: string }[] = [
  { name: 'International Date Line West', zone: 'Etc/GMT+12' },
  { name: 'Midway Island', zone: 'Pacific/Midway' },
  { name: 'American Samoa', zone: 'Pacific/Pago_Pago' },
  { name: 'Hawaii', zone: 'Pacific/Honolulu' },
  { name: 'Alaska', zone: 'America/Juneau' },
  { name: 'Pacific Time (US & Canada)', zone: 'America/Los_Angeles' },
  { name: 'Tijuana', zone: 'America/Tijuana' },
  { name: 'Mountain Time (US & Canada)', zone: 'America/Denver' },
  { name: 'Arizona', zone: 'America/Phoenix' },
  { name: 'Chihuahua', zone: 'America/Chihuahua' },
  { name: 'Mazatlan', zone: 'America/Mazatlan' },
  { name: 'Central Time (US & Canada)', zone: 'America/Chicago' },
  { name: 'Saskatchewan', zone: 'America/Regina' },
  { name: 'Guadalajara', zone: 'America/Mexico_City' },
  { name: 'Mexico City', zone: 'America/Mexico_City' },
  { name: 'Monterrey', zone: 'America/Monterrey' },
  { name: 'Central America', zone: 'America/Guatemala' },
  { name: 'Eastern Time (US & Canada)', zone: 'America/New_York' },
  { name: 'Indiana (East)', zone: 'America/Indiana/Indianapolis' },
  { name: 'Bogota', zone: 'America/Bogota' },
  { name: 'Lima', zone: 'America/Lima' },
  { name: 'Quito', zone: 'America/Lima' },
  { name: 'Atlantic Time (Canada)', zone: 'America/Halifax' },
  { name: 'Caracas', zone: 'America/Caracas' },
  { name: 'La Paz', zone: 'America/La_Paz' },
  { name: 'Santiago', zone: 'America/Santiago' },
  { name: 'Newfoundland', zone: 'America/St_Johns' },
  { name: 'Brasilia', zone: 'America/Sao_Paulo' },
  { name: 'Buenos Aires', zone: 'America/Argentina/Buenos_Aires' },
  { name: 'Montevideo', zone: 'America/Montevideo' },
  { name: 'Georgetown', zone: 'America/Guyana' },
  { name: 'Greenland', zone: 'America/Nuuk' },
  { name: 'Mid-Atlantic', zone: 'Atlantic/South_Georgia' },
  { name: 'Azores', zone: 'Atlantic/Azores' },
  { name: 'Cape Verde Is.', zone: 'Atlantic/Cape_Verde' },
  { name: 'Dublin', zone: 'Europe/Dublin' },
  { name: 'Edinburgh', zone: 'Europe/London' },
  { name: 'Lisbon', zone: 'Europe/Lisbon' },
  { name: 'London', zone: 'Europe/London' },
  { name: 'Casablanca', zone: 'Africa/Casablanca' },
  { name: 'Monrovia', zone: 'Africa/Monrovia' },
  { name: 'UTC', zone: 'Etc/UTC' },
  { name: 'Belgrade', zone: 'Europe/Belgrade' },
  { name: 'Bratislava', zone: 'Europe/Bratislava' },
  { name: 'Budapest', zone: 'Europe/Budapest' },
  { name: 'Ljubljana', zone: 'Europe/Ljubljana' },
  { name: 'Prague', zone: 'Europe/Prague' },
  { name: 'Sarajevo', zone: 'Europe/Sarajevo' },
  { name: 'Skopje', zone: 'Europe/Skopje' },
  { name: 'Warsaw', zone: 'Europe/Warsaw' },
  { name: 'Zagreb', zone: 'Europe/Zagreb' },
  { name: 'Brussels', zone: 'Europe/Brussels' },
  { name: 'Copenhagen', zone: 'Europe/Copenhagen' },
  { name: 'Madrid', zone: 'Europe/Madrid' },
  { name: 'Paris', zone: 'Europe/Paris' },
  { name: 'Amsterdam', zone: 'Europe/Amsterdam' },
  { name: 'Berlin', zone: 'Europe/Berlin' },
  { name: 'Bern', zone: 'Europe/Zurich' },
  { name: 'Rome', zone: 'Europe/Rome' },
  { name: 'Stockholm', zone: 'Europe/Stockholm' },
  { name: 'Vienna', zone: 'Europe/Vienna' },
  { name: 'West Central Africa', zone: 'Africa/Algiers' },
  { name: 'Bucharest', zone: 'Europe/Bucharest' },
  { name: 'Cairo', zone: 'Africa/Cairo' },
  { name: 'Helsinki', zone: 'Europe/Helsinki' },
  { name: 'Kyiv', zone: 'Europe/Kyiv' },
  { name: 'Riga', zone: 'Europe/Riga' },
  { name: 'Sofia', zone: 'Europe/Sofia' },
  { name: 'Tallinn', zone: 'Europe/Tallinn' },
  { name: 'Vilnius', zone: 'Europe/Vilnius' },
  { name: 'Athens', zone: 'Europe/Athens' },
  { name: 'Istanbul', zone: 'Europe/Istanbul' },
  { name: 'Minsk', zone: 'Europe/Minsk' },
  { name: 'Jerusalem', zone: 'Asia/Jerusalem' },
  { name: 'Harare', zone: 'Africa/Harare' },
  { name: 'Pretoria', zone: 'Africa/Johannesburg' },
  { name: 'Kaliningrad', zone: 'Europe/Kaliningrad' },
  { name: 'Moscow', zone: 'Europe/Moscow' },
  { name: 'St. Petersburg', zone: 'Europe/Moscow' },
  { name: 'Volgograd', zone: 'Europe/Volgograd' },
  { name: 'Samara', zone: 'Europe/Samara' },
  { name: 'Kuwait', zone: 'Asia/Kuwait' },
  { name: 'Riyadh', zone: 'Asia/Riyadh' },
  { name: 'Nairobi', zone: 'Africa/Nairobi' },
  { name: 'Baghdad', zone: 'Asia/Baghdad' },
  { name: 'Tehran', zone: 'Asia/Tehran' },
  { name: 'Abu Dhabi', zone: 'Asia/Muscat' },
  { name: 'Muscat', zone: 'Asia/Muscat' },
  { name: 'Baku', zone: 'Asia/Baku' },
  { name: 'Tbilisi', zone: 'Asia/Tbilisi' },
  { name: 'Yerevan', zone: 'Asia/Yerevan' },
  { name: 'Kabul', zone: 'Asia/Kabul' },
  { name: 'Ekaterinburg', zone: 'Asia/Yekaterinburg' },
  { name: 'Islamabad', zone: 'Asia/Karachi' },
  { name: 'Karachi', zone: 'Asia/Karachi' },
  { name: 'Tashkent', zone: 'Asia/Tashkent' },
  { name: 'Chennai', zone: 'Asia/Kolkata' },
  { name: 'Kolkata', zone: 'Asia/Kolkata' },
  { name: 'Mumbai', zone: 'Asia/Kolkata' },
  { name: 'New Delhi', zone: 'Asia/Kolkata' },
  { name: 'Kathmandu', zone: 'Asia/Kathmandu' },
  { name: 'Astana', zone: 'Asia/Almaty' },
  { name: 'Dhaka', zone: 'Asia/Dhaka' },
  { name: 'Sri Jayawardenepura', zone: 'Asia/Colombo' },
  { name: 'Almaty', zone: 'Asia/Almaty' },
  { name: 'Novosibirsk', zone: 'Asia/Novosibirsk' },
  { name: 'Rangoon', zone: 'Asia/Yangon' },
  { name: 'Bangkok', zone: 'Asia/Bangkok' },
  { name: 'Hanoi', zone: 'Asia/Bangkok' },
  { name: 'Jakarta', zone: 'Asia/Jakarta' },
  { name: 'Krasnoyarsk', zone: 'Asia/Krasnoyarsk' },
  { name: 'Beijing', zone: 'Asia/Shanghai' },
  { name: 'Chongqing', zone: 'Asia/Chongqing' },
  { name: 'Hong Kong', zone: 'Asia/Hong_Kong' },
  { name: 'Urumqi', zone: 'Asia/Urumqi' },
  { name: 'Kuala Lumpur', zone: 'Asia/Kuala_Lumpur' },
  { name: 'Singapore', zone: 'Asia/Singapore' },
  { name: 'Taipei', zone: 'Asia/Taipei' },
  { name: 'Perth', zone: 'Australia/Perth' },
  { name: 'Irkutsk', zone: 'Asia/Irkutsk' },
  { name: 'Ulaanbaatar', zone: 'Asia/Ulaanbaatar' },
  { name: 'Seoul', zone: 'Asia/Seoul' },
  { name: 'Osaka', zone: 'Asia/Tokyo' },
  { name: 'Sapporo', zone: 'Asia/Tokyo' },
  { name: 'Tokyo', zone: 'Asia/Tokyo' },
  { name: 'Yakutsk', zone: 'Asia/Yakutsk' },
  { name: 'Darwin', zone: 'Australia/Darwin' },
  { name: 'Adelaide', zone: 'Australia/Adelaide' },
  { name: 'Canberra', zone: 'Australia/Canberra' },
  { name: 'Melbourne', zone: 'Australia/Melbourne' },
  { name: 'Sydney', zone: 'Australia/Sydney' },
  { name: 'Brisbane', zone: 'Australia/Brisbane' },
  { name: 'Hobart', zone: 'Australia/Hobart' },
  { name: 'Vladivostok', zone: 'Asia/Vladivostok' },
  { name: 'Guam', zone: 'Pacific/Guam' },
  { name: 'Port Moresby', zone: 'Pacific/Port_Moresby' },
  { name: 'Magadan', zone: 'Asia/Magadan' },
  { name: 'Srednekolymsk', zone: 'Asia/Srednekolymsk' },
  { name: 'Solomon Is.', zone: 'Pacific/Guadalcanal' },
  { name: 'New Caledonia', zone: 'Pacific/Noumea' },
  { name: 'Fiji', zone: 'Pacific/Fiji' },
  { name: 'Kamchatka', zone: 'Asia/Kamchatka' },
  { name: 'Marshall Is.', zone: 'Pacific/Majuro' },
  { name: 'Auckland', zone: 'Pacific/Auckland' },
  { name: 'Wellington', zone: 'Pacific/Auckland' },
  { name: "Nuku'alofa", zone: 'Pacific/Tongatapu' },
  { name: 'Tokelau Is.', zone: 'Pacific/Fakaofo' },
  { name: 'Chatham Is.', zone: 'Pacific/Chatham' },
  { name: 'Samoa', zone: 'Pacific/Apia' },
];

/** Minutes east of UTC without summer time: the smaller of the offsets in January and July, in both hemispheres. */
export function findStandardOffset(zone: string, year: number): number {
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return Math.min(
    readOffset(formatter, new Date(Date.UTC(year, 0, 1))),
    readOffset(formatter, new Date(Date.UTC(year, 6, 1))),
  );
}

/** Minutes east of UTC at a moment, including summer time. */
export function findOffset(zone: string, moment: Date): number {
  return readOffset(new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }), moment);
}

function readOffset(formatter: Intl.DateTimeFormat, date: Date): number {
  const offset = formatter.formatToParts(date).find(part => part.type === 'timeZoneName')?.value ?? '';
  // "GMT" alone means offset 0.
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

/** `+05:30` */
export function formatOffset(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const digits = [Math.floor(minutes / 60), minutes % 60].map(number => String(number).padStart(2, '0'));
  return `${offsetMinutes < 0 ? '-' : '+'}${digits.join(':')}`;
}

interface ListedTimeZone {
  name: string;
  zone: string;
  /** `(GMT+01:00) Berlin` */
  offset: string;
  offsetMinutes: number;
}

/** Takes about 10 ms, since it creates 149 formatters of Intl. */
export const listTimeZones = (year: number): ListedTimeZone[] =>
  timeZones
    .map(({ name, zone }) => {
      const offsetMinutes = findStandardOffset(zone, year);
      return { name, zone, offset: `(GMT${formatOffset(offsetMinutes)}) ${name}`, offsetMinutes };
    })
    .sort((one, other) => one.offsetMinutes - other.offsetMinutes || (one.name < other.name ? -1 : 1));

const zonesByName = new Map(timeZones.map(({ name, zone }) => [name, zone]));

/** The tz database identifier of a time zone of the list. */
export const findZone = (name: string): string => zonesByName.get(name) ?? 'UTC';

/** The month before the present one in a zone: `2026-10`. */
export function findLastMonth(zone: string, now: Date): string {
  const [year, month] = toLocalTime(now, zone).split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 2)).toISOString().slice(0, 7);
}
