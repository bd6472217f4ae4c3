import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';

/**
 * For other sites: `<script src="https://status.example.com/widget.js" data-page="2017f84a" async></script>`, with `data-component="12"` and `data-lang="de"`
 * where wanted. It shows something only while something is going on, once a minute it looks again, and what a visitor closes stays closed for their session.
 * What has not changed is not written again, since a screen reader would say it again. It writes text, never markup, keeps its style to itself, and asks nobody but the service that it came from.
 */
export const script = `(d=>{
const own=d.currentScript,{page,...wanted}=own.dataset,
address=new URL('/status/'+page+'/widget.json',own.src),key='status '+page,
make=(parent,name,values)=>parent.appendChild(Object.assign(d.createElement(name),values));
for(const name of['component','lang'])if(wanted[name])address.searchParams.set(name,wanted[name]);
let closed=[],box,said='[]';
try{closed=JSON.parse(sessionStorage[key])}catch{}
const place=()=>{
const root=make(d.body,'div').attachShadow({mode:'open'}),sheet=new CSSStyleSheet;
sheet.replaceSync(\`section{position:fixed;z-index:2147483647;inset:auto 1rem 1rem auto;box-sizing:border-box;max-width:min(24rem,100vw - 2rem);display:flex;gap:.75rem;align-items:start;
padding:.75rem 1rem;font:1rem/1.5 system-ui,sans-serif;color:#1f2933;background:#fff;border:1px solid #c5ccd4;border-inline-start:4px solid #b45309;border-radius:.5rem;box-shadow:0 2px 12px #0003}
section:empty{display:none}section.planned{border-inline-start-color:#1d4ed8}[dir=rtl]{inset:auto auto 1rem 1rem}
p{margin:0;overflow-wrap:anywhere}b{display:block;font-size:.875rem}a{color:inherit}
button{all:unset;box-sizing:border-box;min-width:1.5rem;text-align:center;cursor:pointer;border-radius:.25rem}:focus-visible{outline:2px solid}
@media(prefers-color-scheme:dark){section{color:#e6e9ed;background:#1f2730;border-color:#46525f}}@media print{section{display:none}}\`);
root.adoptedStyleSheets=[sheet];
return make(root,'section',{role:'status'})};
const look=async()=>{
const answer=await fetch(address);
if(!answer.ok)return;
const {lang,dir,close,notices}=await answer.json(),
shown=notices.filter(({id})=>!closed.includes(id)).slice(0,3),now=JSON.stringify(shown);
if(now==said)return;
said=now;
box??=place();
Object.assign(box,{lang,dir,className:shown[0]?.type,textContent:''});
if(!shown.length)return;
const list=make(box,'div');
for(const {title,state,link} of shown){const p=make(list,'p');make(p,'b',{textContent:state});make(p,'a',{href:link,target:'_blank',rel:'noopener',textContent:title})}
make(box,'button',{type:'button',ariaLabel:close,title:close,textContent:'\\u00d7',onclick(){
closed.push(...shown.map(({id})=>id));
try{sessionStorage[key]=JSON.stringify(closed)}catch{}
box.textContent='';said='[]'}})};
const again=()=>d.hidden||look().catch(()=>{}),start=()=>{again();setInterval(again,6e4)};
d.body?start():d.addEventListener('DOMContentLoaded',start)})(document)
`;

const bytes = Buffer.from(script);
const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** `/widget.js`, on every host but those of pages. */
export const serveWidget: Middleware = (ctx, next) => {
  if (ctx.path !== '/widget.js' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'public, max-age=3600',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  });
  // Not by Koa's `fresh`, for which "no-cache" asks for the bytes: it asks whether they are the same.
  if (ctx.get('If-None-Match').includes(etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'text/javascript; charset=utf-8';
  ctx.body = bytes;
};
