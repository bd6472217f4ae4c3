import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { matchesEtag } from '../../http/etag.js';
import { shownCount } from './widget.js';

/**
 * The script that other sites embed:
 * `<script src="https://status.example.com/widget.js" data-page="2017f84a" async></script>`, with the optional
 * attributes `data-component="12"`, `data-lang="de"`, `data-key` for a private page, and `data-theme`, which is `light`, `dark` or the visitor's scheme.
 *
 * It shows a box while a notice is present, refreshes once a minute, and hides dismissed notices for the session. It ends
 * with a link to the page, and says how many more notices that has. Unchanged content is not rendered again, since a
 * screen reader would announce it again. It sets text, never HTML, keeps its style in a shadow root, and sends requests
 * only to the service that it was loaded from.
 */
export const script = `(d=>{
const own=d.currentScript,{page,theme,...options}=own.dataset,
url=new URL('/status/'+page+'/widget.json',own.src),key='status '+page,
append=(parent,name,values)=>parent.appendChild(Object.assign(d.createElement(name),values));
for(const name of['component','lang','key'])if(options[name])url.searchParams.set(name,options[name]);
let dismissed=[],box,lastShown='[]';
try{dismissed=JSON.parse(sessionStorage[key])}catch{}
const createBox=()=>{
const root=append(d.body,'div').attachShadow({mode:'open'}),sheet=new CSSStyleSheet;
sheet.replaceSync(\`section{position:fixed;z-index:2147483647;inset:auto 1rem 1rem auto;
box-sizing:border-box;max-width:min(24rem,100vw - 2rem);
display:flex;gap:.75rem;align-items:start;padding:.75rem 1rem;font:1rem/1.5 system-ui,sans-serif;
color:#1f2933;background:#fff;border:1px solid #c5ccd4;border-inline-start:4px solid #b45309;border-radius:.5rem;
box-shadow:0 2px 12px #0003}
section:empty{display:none}section.planned{border-inline-start-color:#1d4ed8}[dir=rtl]{inset:auto auto 1rem 1rem}
p{margin:0;overflow-wrap:anywhere}b{display:block;font-size:.875rem}small{display:block;margin-top:.25rem}a{color:inherit}
button{all:unset;box-sizing:border-box;min-width:1.5rem;text-align:center;cursor:pointer;
border-radius:.25rem}:focus-visible{outline:2px solid}
@media \${{light:'not all',dark:'all'}[theme]||'(prefers-color-scheme:dark)'}{section{color:#e6e9ed;background:#1f2730;border-block-color:#46525f;border-inline-end-color:#46525f}}
@media print{section{display:none}}\`);
root.adoptedStyleSheets=[sheet];
return append(root,'section',{role:'status'})};
const refresh=async()=>{
const response=await fetch(url);
if(!response.ok)return;
const {lang,dir,close,notices,page:name,url:home,more}=await response.json(),
link=(p,href,textContent)=>append(p,'a',{href,target:'_blank',rel:'noopener',textContent}),
shown=notices.filter(({id})=>!dismissed.includes(id)).slice(0,${shownCount}),json=JSON.stringify(shown);
if(json==lastShown)return;
lastShown=json;
box??=createBox();
Object.assign(box,{lang,dir,className:shown[0]?.type,textContent:''});
if(!shown.length)return;
const list=append(box,'div');
for(const one of shown){
const p=append(list,'p');
append(p,'b',{textContent:one.state});
link(p,one.link,one.title)}
link(append(list,'small'),home,more?name+' · '+more:name);
append(box,'button',{type:'button',ariaLabel:close,title:close,textContent:'\\u00d7',onclick(){
dismissed.push(...shown.map(({id})=>id));
try{sessionStorage[key]=JSON.stringify(dismissed)}catch{}
box.textContent='';lastShown='[]'}})};
const poll=()=>d.hidden||refresh().catch(()=>{}),start=()=>{poll();setInterval(poll,6e4)};
d.body?start():d.addEventListener('DOMContentLoaded',start)})(document)
`;

const bytes = Buffer.from(script);
const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Serves `/widget.js` on every host except those of pages. */
export const serveWidgetScript: Middleware = (ctx, next) => {
  if (ctx.path !== '/widget.js' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'public, max-age=3600',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  });
  // Not with Koa's `fresh`, which treats "Cache-Control: no-cache" as a request for the body; it asks to revalidate.
  if (matchesEtag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'text/javascript; charset=utf-8';
  ctx.body = bytes;
};
