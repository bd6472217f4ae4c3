/**
 * Progressive enhancement; the page works without it. Shows times in the visitor's zone, with the page's as the title;
 * after a time range the visitor's is added (ranges show UTC already). Updates "in 3 days" and "for 47 minutes" every minute.
 * It is the same on every page: the policy contains its hash.
 *
 * While the page is visible it follows the page's events, and replaces what is shown: within a second, so that not all
 * visitors request the page at once, and again later where a cache or another process still has an older one. The
 * parameter `v` is only for caches. What a DOMParser makes of the response runs no script.
 */
export const clientScript = `(d=>{
const {tag,zone,yours,events,after}=d.body.dataset,
us=tag=='en-US',
f=(z,o)=>new Intl.DateTimeFormat(tag,{hour:us?'numeric':'2-digit',minute:'2-digit',hourCycle:us?'h12':'h23',
day:'numeric',month:'short',timeZone:z,...o}),
mine=f(),named=f(undefined,{timeZoneName:'short'}),
rel=new Intl.RelativeTimeFormat(tag),lasts=Intl.DurationFormat&&new Intl.DurationFormat(tag,{style:'long'}),
all=(q,r=d)=>r.querySelectorAll(q),
show=r=>{for(const t of all('time[datetime*=T]',r)){
const b=new Date(t.dateTime),e=t.dataset.end&&new Date(t.dataset.end);
if(mine.format(b)==f(zone).format(b)||e&&!b.getTimezoneOffset())continue;
if(!e){t.title=t.textContent,t.textContent=named.format(b);continue}
const s=d.createElement('span');
s.className='yours',
s.title=yours,
s.textContent=named.formatRange(b,e);
t.after(' ',s)}},
tick=()=>{for(let a of all('[data-ago]')){
const m=Math.round((new Date(a.dataset.ago)-Date.now())/6e4),n=Math.abs(m);
if(n)a.textContent=n<60?rel.format(m,'minute'):n<2880?rel.format(Math.round(m/60),'hour')
:rel.format(Math.round(m/1440),'day')}
for(let a of all('[data-since]')){
const m=Math.floor((Date.now()-new Date(a.dataset.since))/6e4);
if(lasts&&m>0)a.textContent=lasts.format({days:Math.floor(m/1440),hours:Math.floor(m/60)%24,minutes:m%60})}};
show();tick();setInterval(tick,6e4);
let id=after,s,
load=async()=>{try{
let n=new DOMParser().parseFromString(await(await fetch((location.search||'?')+'&v='+id)).text(),'text/html'),
q='main details',a=all(q),b=all(q,n);
if(!(n.body.dataset.after-id>=0))throw 0;
if(n.body.dataset.tag!=tag)return location.reload();
a.length-b.length||b.forEach((x,i)=>x.open=a[i].open);
show(n);
for(let e of['title','.shapes','main'])d.querySelector(e)?.replaceWith(n.querySelector(e)||'');
tick()}catch{setTimeout(load,5e3)}},
live=()=>{s?.close();
d.hidden||((s=new EventSource(events+id)).onmessage=e=>{id=e.data;setTimeout(load,1e3*Math.random())})};
if(events)live(),d.onvisibilitychange=live})(document)`.replaceAll('\n', '');
