/**
 * Progressive enhancement of a status page, which works without it. Shows times in the visitor's zone, with the
 * page's as the title; a time range has the page's after it, in place of UTC. Past notices are listed by days of the
 * page, so their times stay in its zone, with the visitor's as the title. Updates "in 3 days" and "for 47 minutes"
 * every minute. It is the same on every page: the policy contains its hash.
 *
 * While the page is visible it follows the page's events, and replaces what is shown: within a second, so that not
 * all visitors request the page at once, and again later where a cache or another process still has an older one. The
 * parameter `v` is only for caches. What a DOMParser makes of the response runs no script.
 */
const { tag, zone, yours, events, after } = document.body.dataset as Record<
  'tag' | 'zone' | 'yours' | 'events' | 'after',
  string
>;

const isAmerican = tag === 'en-US';
const createFormat = (timeZone?: string, options?: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(tag, {
    hour: isAmerican ? 'numeric' : '2-digit',
    minute: '2-digit',
    hourCycle: isAmerican ? 'h12' : 'h23',
    day: 'numeric',
    month: 'short',
    timeZone,
    ...options,
  });
const visitorTime = createFormat();
const pageTime = createFormat(zone);
const namedTime = createFormat(undefined, { timeZoneName: 'short' });
const namedRange = createFormat(undefined, { timeZoneName: 'short', weekday: 'short' });
const relative = new Intl.RelativeTimeFormat(tag);
/** Not in all browsers. */
const duration = Intl.DurationFormat && new Intl.DurationFormat(tag, { style: 'long' });

const findAll = <T extends HTMLElement>(selector: string, root: ParentNode = document) =>
  root.querySelectorAll<T>(selector);

function showVisitorTimes(root?: ParentNode): void {
  for (const time of findAll<HTMLTimeElement>('time[datetime*=T]', root)) {
    const begin = new Date(time.dateTime);
    const { end } = time.dataset;
    const isSameTime = visitorTime.format(begin) === pageTime.format(begin);
    if (isSameTime) continue;
    if (end) {
      const range = document.createElement('span');
      range.className = 'yours';
      range.textContent = time.textContent;
      for (const utc of findAll('br,.quiet', time.parentElement!)) utc.remove();
      time.title = yours;
      time.textContent = namedRange.formatRange(begin, new Date(end));
      time.after(' ', range);
    } else if (time.closest('.day')) time.title = namedTime.format(begin);
    else {
      time.title = time.textContent;
      time.textContent = namedTime.format(begin);
    }
  }
}

const minutesSince = (time: string) => (Date.now() - new Date(time).getTime()) / 6e4;

function updateRelativeTimes(): void {
  for (const element of findAll('[data-ago]')) {
    const minutes = Math.round(-minutesSince(element.dataset.ago!));
    const distance = Math.abs(minutes);
    if (!distance) continue;
    element.textContent =
      distance < 60
        ? relative.format(minutes, 'minute')
        : distance < 2880
          ? relative.format(Math.round(minutes / 60), 'hour')
          : relative.format(Math.round(minutes / 1440), 'day');
  }
  for (const element of findAll('[data-since]')) {
    const minutes = Math.floor(minutesSince(element.dataset.since!));
    if (duration && minutes > 0)
      element.textContent = duration.format({
        days: Math.floor(minutes / 1440),
        hours: Math.floor(minutes / 60) % 24,
        minutes: minutes % 60,
      });
  }
}

/** The footer names the zone of the times that are shown, which in the history is that of the page. */
function nameVisitorZone(): void {
  const note = document.querySelector<HTMLElement>('[data-named]');
  if (note && visitorTime.format() !== pageTime.format() && document.querySelector('time[title]:not(.day *)'))
    note.textContent = note.textContent!.replace(note.dataset.named!, nameZone());
}

/** "Eastern Time", whose times are in EST or EDT; the id, such as "UTC", where the language has no name for it. */
function nameZone(): string {
  const { value } = createFormat(undefined, { timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')!;
  return /\d/.test(value) ? visitorTime.resolvedOptions().timeZone : value;
}

showVisitorTimes();
nameVisitorZone();
updateRelativeTimes();
setInterval(updateRelativeTimes, 6e4);

/** The event up to which the page is shown. */
let current = after;
let source: EventSource | undefined;

async function load(): Promise<void> {
  try {
    const response = await fetch(`${location.search || '?'}&v=${current}`);
    const next = new DOMParser().parseFromString(await response.text(), 'text/html');
    const { dataset } = next.body;
    // Not a page, or an older one.
    if (!(Number(dataset.after) >= Number(current))) throw 0;
    if (dataset.tag !== tag) return location.reload();
    const details = 'main details';
    const shown = findAll<HTMLDetailsElement>(details);
    const loaded = findAll<HTMLDetailsElement>(details, next);
    if (shown.length === loaded.length)
      loaded.forEach((element, index) => {
        element.open = shown[index]!.open;
      });
    showVisitorTimes(next);
    for (const selector of ['title', '.shapes', 'main'])
      document.querySelector(selector)?.replaceWith(next.querySelector(selector) || '');
    updateRelativeTimes();
  } catch {
    setTimeout(load, 5e3);
  }
}

function follow(): void {
  source?.close();
  if (document.hidden) return;
  source = new EventSource(events + current);
  source.onmessage = ({ data }) => {
    current = data;
    setTimeout(load, 1e3 * Math.random());
  };
}

if (events) {
  follow();
  document.onvisibilitychange = follow;
}

export {};
