/**
 * Abbreviations of the tz database for the zones of pages, each with its UTC offset in minutes. Intl has them only in
 * the languages of the country itself. Zones without letters, as most in Asia and South America, are not listed.
 */
const zoneGroups: readonly [abbreviations: string, zones: string][] = [
  ['ACST=570', 'Australia/Darwin'],
  ['ACST=570 ACDT=630', 'Australia/Adelaide'],
  ['AEST=600', 'Australia/Brisbane'],
  ['AEST=600 AEDT=660', 'Australia/Canberra Australia/Hobart Australia/Melbourne Australia/Sydney'],
  ['AKST=-540 AKDT=-480', 'America/Juneau'],
  ['AST=-240 ADT=-180', 'America/Halifax'],
  ['AWST=480', 'Australia/Perth'],
  ['CAT=120', 'Africa/Harare'],
  ['CET=60', 'Africa/Algiers'],
  [
    'CET=60 CEST=120',
    'Europe/Amsterdam Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest ' +
      'Europe/Copenhagen Europe/Ljubljana Europe/Madrid Europe/Paris Europe/Prague Europe/Rome ' +
      'Europe/Sarajevo Europe/Skopje Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zagreb ' +
      'Europe/Zurich',
  ],
  ['CST=-360', 'America/Chihuahua America/Guatemala America/Mexico_City America/Monterrey America/Regina'],
  ['CST=-360 CDT=-300', 'America/Chicago'],
  ['CST=480', 'Asia/Chongqing Asia/Shanghai Asia/Taipei'],
  ['ChST=600', 'Pacific/Guam'],
  ['EAT=180', 'Africa/Nairobi'],
  ['EET=120', 'Europe/Kaliningrad'],
  [
    'EET=120 EEST=180',
    'Africa/Cairo Europe/Athens Europe/Bucharest Europe/Helsinki Europe/Kyiv Europe/Riga Europe/Sofia ' +
      'Europe/Tallinn Europe/Vilnius',
  ],
  ['EST=-300 EDT=-240', 'America/Indiana/Indianapolis America/New_York'],
  ['GMT=0', 'Africa/Monrovia'],
  ['GMT=0 BST=60', 'Europe/London'],
  ['GMT=0 IST=60', 'Europe/Dublin'],
  ['HKT=480', 'Asia/Hong_Kong'],
  ['HST=-600', 'Pacific/Honolulu'],
  ['IST=120 IDT=180', 'Asia/Jerusalem'],
  ['IST=330', 'Asia/Kolkata'],
  ['JST=540', 'Asia/Tokyo'],
  ['KST=540', 'Asia/Seoul'],
  ['MSK=180', 'Europe/Moscow Europe/Volgograd'],
  ['MST=-420', 'America/Mazatlan America/Phoenix'],
  ['MST=-420 MDT=-360', 'America/Denver'],
  ['NST=-210 NDT=-150', 'America/St_Johns'],
  ['NZST=720 NZDT=780', 'Pacific/Auckland'],
  ['PKT=300', 'Asia/Karachi'],
  ['PST=-480 PDT=-420', 'America/Los_Angeles America/Tijuana'],
  ['SAST=120', 'Africa/Johannesburg'],
  ['SST=-660', 'Pacific/Midway Pacific/Pago_Pago'],
  ['UTC=0', 'Etc/UTC'],
  ['WET=0 WEST=60', 'Europe/Lisbon'],
  ['WIB=420', 'Asia/Jakarta'],
];

const abbreviationsByZone = new Map(
  zoneGroups.flatMap(([abbreviations, zones]) => {
    const byOffset = new Map(abbreviations.split(' ').map(each => [Number(each.split('=')[1]), each.split('=')[0]!]));
    return zones.split(' ').map(zone => [zone, byOffset] as const);
  }),
);

/** `CET`, or the offset in the form of the tz database if it has no letters: `+05`, `+0530`. */
export function getZoneAbbreviation(zone: string, offsetInMinutes: number): string {
  const abbreviation = abbreviationsByZone.get(zone)?.get(offsetInMinutes);
  if (abbreviation) return abbreviation;
  const size = Math.abs(offsetInMinutes);
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map(part => String(part).padStart(2, '0'));
  return `${offsetInMinutes < 0 ? '-' : '+'}${hours}${minutes === '00' ? '' : minutes}`;
}
