import { darkColours } from '../../pages/branding/scheme.js';

/** Light and dark, from the width of a phone. */
export const style = `
:root{color-scheme:light dark;--page:#f7f8f9;--card:#fff;--text:#2c3e50;--muted:#5b6875;
--border:#c9ced3;--accent:#1f6fa5;--on:#fff;--error:#b3261e}
@media (prefers-color-scheme:dark){:root{--page:${darkColours.page};--card:${darkColours.header};
--text:${darkColours.text};--muted:#a7aaaf;--border:#4a5058;--accent:#6db3e0;--on:#10151a;--error:#ff9a91}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;padding:16px;display:grid;place-items:center;background:var(--page);color:var(--text);
font:16px/1.5 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
main{width:100%;max-width:400px;padding:24px;background:var(--card);border:1px solid var(--border);border-radius:12px}
h1{margin:0 0 4px;font-size:24px;line-height:1.3}
h2{margin:24px 0 8px;font-size:16px}
p{margin:8px 0 0;overflow-wrap:anywhere}
.hint{color:var(--muted);font-size:14px}
code{display:block;margin:4px 0 0;color:var(--text);font:13px/1.5 ui-monospace,Menlo,Consolas,monospace}
summary{padding:12px 0 4px;color:var(--muted);cursor:pointer}
.unsent{margin:16px 0 0;padding:8px 12px;border-inline-start:4px solid var(--accent)}
form,.way{margin:20px 0 0}
label{display:block;font-weight:600;margin:0 0 4px}
input{width:100%;min-height:44px;padding:8px 12px;font:inherit;color:inherit;
background:var(--card);border:1px solid var(--muted);border-radius:8px}
input[name=code]{font:600 24px/1.3 Consolas,Menlo,monospace;letter-spacing:6px}
button,.button{display:block;width:100%;min-height:44px;margin:12px 0 0;padding:9px 16px;font:inherit;font-weight:600;
text-align:center;text-decoration:none;color:var(--accent);background:none;
border:1px solid var(--accent);border-radius:8px;cursor:pointer}
.primary{color:var(--on);background:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
hr{margin:24px 0 0;border:0;border-top:1px solid var(--border)}
ul{margin:8px 0 0;padding:0;list-style:none}
li{display:flex;gap:12px;align-items:center;justify-content:space-between;padding:8px 0;
border-top:1px solid var(--border);overflow-wrap:anywhere}
li button{width:auto;margin:0;flex:none}
[role=alert],#status{color:var(--error)}
`;
