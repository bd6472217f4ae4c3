/**
 * Progressive enhancement; the page works without it. Shows times in the visitor's zone, with the page's as the title;
 * after a time range the visitor's is added (ranges show UTC already). Updates "in 3 days" and "for 47 minutes" every minute.
 * Reads data attributes and writes text only. It is the same on every page: the policy contains its hash.
 */
export const clientScript = `(d=>{
const {tag,zone,yours}=d.body.dataset,
f=(z,o)=>new Intl.DateTimeFormat(tag,{hour:'2-digit',minute:'2-digit',hourCycle:'h23',
day:'numeric',month:'short',timeZone:z,...o}),
mine=f(),named=f(undefined,{timeZoneName:'short'}),
rel=new Intl.RelativeTimeFormat(tag),lasts=Intl.DurationFormat&&new Intl.DurationFormat(tag,{style:'long'});
for(const t of d.querySelectorAll('time[datetime*=T]')){
const b=new Date(t.dateTime),e=t.dataset.end&&new Date(t.dataset.end);
if(mine.format(b)==f(zone).format(b)||e&&!b.getTimezoneOffset())continue;
if(!e){t.title=t.textContent,t.textContent=named.format(b);continue}
const s=d.createElement('span');
s.className='yours',
s.title=yours,
s.textContent=named.formatRange(b,e);
t.after(' ',s)}
const tick=()=>{for(const a of d.querySelectorAll('[data-ago]')){
const m=Math.round((new Date(a.dataset.ago)-Date.now())/6e4),n=Math.abs(m);
if(n)a.textContent=n<60?rel.format(m,'minute'):n<2880?rel.format(Math.round(m/60),'hour')
:rel.format(Math.round(m/1440),'day')}
for(const a of d.querySelectorAll('[data-since]')){
const m=Math.floor((Date.now()-new Date(a.dataset.since))/6e4);
if(lasts&&m>0)a.textContent=lasts.format({days:Math.floor(m/1440),hours:Math.floor(m/60)%24,minutes:m%60})}};
tick();setInterval(tick,6e4)})(document)`.replaceAll('\n', '');
