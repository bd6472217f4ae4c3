/**
 * Progressive enhancement: the button of the footer chooses the light or the dark scheme, in the head, so that no page is
 * painted in the other one before. The choice is stored in the browser, until it is what the system prefers. The script
 * changes the media query of the dark scheme: other rules would double the size of the colours. It is the same on every
 * page: the policy contains its hash.
 */
export const schemeScript = `(d=>{
let chosen;
try{chosen=localStorage.scheme}catch{}
const system=matchMedia('(prefers-color-scheme:dark)'),
{media}=[...d.styleSheets[0].cssRules].find(r=>r.media?.mediaText.includes('scheme')),own=media.mediaText,
isDark=()=>chosen?chosen=='dark':system.matches,
apply=()=>{
media.mediaText=chosen?isDark()?'screen':'not all':own;
for(const s of d.querySelectorAll('source'))s.media=isDark()?'all':'not all';
const b=d.querySelector('.scheme');
if(b)b.hidden=!1,b.ariaPressed=isDark()};
apply();
d.addEventListener('DOMContentLoaded',apply);
system.onchange=apply;
d.addEventListener('click',e=>{
if(!e.target.closest('.scheme'))return;
chosen=isDark()==system.matches?isDark()?'light':'dark':'';
try{chosen?localStorage.scheme=chosen:localStorage.removeItem('scheme')}catch{}
apply()})})(document)`.replaceAll('\n', '');
