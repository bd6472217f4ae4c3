/**
 * Typography, background, header and footer. Logical properties mirror the layout for right-to-left languages. Sizes
 * are relative, so that 400 % zoom needs no horizontal scrolling.
 */
export const layoutStyle = `
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-block-start: 5rem }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; text-wrap: pretty;
}
h1, h2, h3, h4, h5, h6, p, ul, ol { margin: 0; padding: 0; font-size: inherit; line-height: 1.35 }
p, li { line-height: inherit }
ul { list-style: none }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .2em }
a:hover { text-decoration-thickness: 2px }
small { font-size: .875rem }
summary { cursor: pointer }
:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; border-radius: 4px }
main:focus { outline: 0 }
.in { max-width: 54rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2rem) }
.i { width: 1em; height: 1em; flex: none; fill: currentColor; vertical-align: -.125em }
.ok { color: var(--ok) }
.part { color: var(--part) }
.warn { color: var(--warn) }
.down { color: var(--down) }
.plan { color: var(--plan) }
.none { color: var(--quiet) }
.quiet, .when { color: var(--quiet); font-size: .875rem }
.when time:not([data-end]) { display: inline-block }
.unseen:not(:focus) {
  position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap
}
.shapes { position: absolute }
.skip { position: absolute; inset-inline-start: -100vw }
.skip:focus {
  inset-inline-start: 1rem; inset-block-start: 1rem; z-index: 3; padding: .5rem 1rem; border-radius: 8px;
  background: var(--page)
}

.top { background: var(--header); color: var(--header-text); border-block-end: 1px solid var(--header-line) }
.nav { background: var(--navbar); color: var(--navbar-link) }
.nav .in {
  display: flex; align-items: center; gap: .5rem clamp(.75rem, 2vw, 1.25rem); min-height: 4rem
}
.name {
  flex: 1 1 0; min-width: 0; font-size: 1.125rem; font-weight: 650; letter-spacing: -.015em
}
.nav a { color: inherit; text-decoration: none }
.nav a:hover { text-decoration: underline }
.nav .name a { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.past-link { padding-block: .25rem }
.logo { display: block; width: auto; height: auto; max-width: min(14rem, 100%); max-height: 2.25rem }
[dir=auto] { text-align: -webkit-match-parent; text-align: match-parent }
.menu { position: relative }
.menu > :first-child {
  padding: .5rem 1rem; border: 1px solid var(--button-line); border-radius: 8px; background: var(--button);
  color: var(--button-text);
  font-weight: 600; list-style: none
}
summary::-webkit-details-marker { display: none }
.menu ul {
  position: absolute; inset-inline-end: 0; z-index: 2; min-width: 12rem; margin-block-start: .5rem; padding: .5rem;
  border: 1px solid var(--line);
  border-radius: 12px; background: var(--page); color: var(--text); box-shadow: 0 8px 32px #0003
}
.menu li a { display: block; padding: .5rem .75rem; border-radius: 6px }

body:has(> footer) { display: flex; flex-direction: column; min-height: 100vh; min-height: 100dvh }
main.in { width: 100% }
footer {
  margin-block-start: auto; padding-block: 1.5rem 2rem; background: var(--header); color: var(--header-text);
  border-block-start: 1px solid var(--header-line); font-size: .875rem
}
main:has(+ footer) { padding-block-end: 4rem }
footer .quiet, .links [aria-current] { color: inherit }
footer a, footer .fold summary { color: var(--header-link) }
.links { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-block-end: .5rem }
.links a { display: inline-block; padding-block: .25rem }
.links [aria-current] { font-weight: 600; text-decoration: none }
.fold summary { display: inline-block; padding-block: .25rem; color: var(--link); font-size: .875rem }
.fold summary, .tree summary, details.card > summary { list-style: none }
.fold summary::before, .tree summary .name::before, details.card > summary::before {
  content: ""; display: inline-block; flex: none; width: .4em; height: .4em; margin-inline: .1em .6em;
  border: solid currentColor; border-width: 0 2px 2px 0; transform: translateY(-.15em) rotate(-45deg)
}
[dir=rtl] :is(.fold summary, .tree summary .name, details.card > summary)::before {
  transform: translateY(-.15em) rotate(135deg)
}
.fold[open] > summary::before, .tree [open] > summary .name::before, details.card[open] > summary::before {
  transform: translateY(-.2em) rotate(45deg)
}
.scheme { padding: .25rem 0; border: 0; background: none; color: var(--header-link); font: inherit; cursor: pointer }
.scheme::before { content: "\\25D0\\a0"; display: inline-block }
.scheme[aria-pressed=true] { font-weight: 600 }
.back { margin-block-end: 1rem; font-size: .875rem }
.back a { text-decoration: none }
.back a:hover { text-decoration: underline }
.back a::before { content: "\\2190\\a0" }
[dir=rtl] .back a::before { content: "\\2192\\a0" }

@media (max-width: 36rem) and (min-height: 30rem) {
  .nav { position: sticky; inset-block-start: 0; z-index: 2 }
}
@media (forced-colors: active) {
  .i { forced-color-adjust: auto; fill: CanvasText }
  .menu summary, .chips a { border-color: ButtonBorder }
}
`;
