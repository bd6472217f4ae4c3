/** The sections, in the order of the page. */
export const sectionStyle = `
section { margin-block-start: 2.5rem }
main > :first-child { margin-block-start: 2rem }
h2 { font-size: 1.125rem; font-weight: 650; letter-spacing: -.01em; margin-block-end: .75rem }
h3 { font-size: 1.125rem; font-weight: 650 }
h3 a, h4 a { color: inherit; text-decoration-color: transparent }
h3 a:hover, h4 a:hover { text-decoration-color: currentColor }

.card { padding: 1.5rem; border: 1px solid var(--line); border-radius: 12px }
.card + .card { margin-block-start: 1rem }
.card > * + * { margin-block-start: .5rem }
.edge { border-inline-start: 5px solid currentColor }
.edge > *, .update > * { color: var(--text) }
.edge > .when, .update > .when { color: var(--quiet) }
.banner:has(+ .open) { border-end-start-radius: 0; border-end-end-radius: 0 }
.banner + .open {
  margin-block-start: 0; border: 1px solid var(--line); border-block-start: 0;
  border-end-start-radius: 16px; border-end-end-radius: 16px
}
.banner + .open > p { padding: 0 1.5rem 1rem }
.banner + .open .card { border-width: 0; border-radius: 0 }
.banner + .open .card + .card { margin: 0; border-block-start-width: 1px }
details.card { padding-block: 1rem }
details.card > summary { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem }
details.card > summary::before { margin-inline-end: 0; color: var(--quiet) }
details.card > summary h3 { flex: 1 1 12rem; min-width: 0; font-size: 1rem }
details.card > summary .when { min-width: 6rem; text-align: end }
.words { display: flex; align-items: center; gap: .5rem; font-size: .875rem; font-weight: 600 }
.chips { display: flex; flex-wrap: wrap; gap: .5rem }
.chips a {
  display: block; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 1rem; color: inherit;
  font-size: .875rem; text-decoration: none
}
.chips a:hover { border-color: currentColor }
.card > .updates { margin-block-start: 1rem }
.update { position: relative; padding-inline-start: 1.5rem; padding-block-end: 1rem }
.update::before {
  content: ""; position: absolute; inset-inline-start: 0; inset-block-start: .3rem; width: 10px; height: 10px;
  border-radius: 50%; background: currentColor
}
.update::after {
  content: ""; position: absolute; inset-inline-start: 4px; inset-block: 1.25rem -.3rem; width: 2px;
  background: var(--line)
}
.updates > .update:last-child::after, .fold .update:last-child::after { display: none }
.updates > .update:last-child, .fold .update:last-child { padding-block-end: 0 }
.updates .fold[open] > summary { margin-block-end: .5rem }
.update .when { margin-block-end: .25rem }
.update b { color: var(--text) }
.prose { max-width: 46rem; text-align: start }
.prose > * + * { margin-block-start: .75rem }
.prose img { max-width: 100%; height: auto; max-height: 40rem; object-fit: contain; object-position: 0 }
[dir=rtl] .prose img { object-position: 100% }
.prose ul, .prose ol { padding-inline-start: 1.5rem }
.prose ul { list-style: disc }
.prose pre { white-space: pre-wrap; font-size: .875rem }
.prose blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line) }
.prose table { display: block; overflow-x: auto; border-collapse: collapse }
.prose :is(th, td) {
  overflow-wrap: break-word; padding: .25rem .75rem; border: 1px solid var(--line); text-align: start
}

.banner {
  display: flex; align-items: center; gap: 1.25rem; margin-block-start: 2rem; padding: 1.5rem; border-radius: 16px;
  background: var(--panel); color: var(--panel-text)
}
.banner .i { width: 2.75rem; height: 2.75rem; color: var(--tone) }
.banner strong {
  display: block; font-size: clamp(1.5rem, 1.1rem + 2vw, 2rem); font-weight: 650; line-height: 1.2;
  letter-spacing: -.02em; text-wrap: balance
}
.banner small { display: block; margin-block-start: .25rem }
.stale {
  display: flex; gap: .75rem; align-items: baseline; padding: .75rem 1rem; border: 1px solid var(--line);
  border-radius: 12px; font-weight: 600
}

.title { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem }
.of-60, .of-90 { display: none }
.tree > li { padding: 1rem 1.5rem; border: 1px solid var(--line); border-block-end-width: 0 }
.tree > li:first-child { border-start-start-radius: 12px; border-start-end-radius: 12px }
.tree > li:last-child { border-block-end-width: 1px; border-end-start-radius: 12px; border-end-end-radius: 12px }
.tree li li { padding-block-start: 1rem }
.tree li li b { font-weight: 500 }
.tree details > ul {
  margin-inline-start: .25rem; padding-inline-start: 1rem; border-inline-start: 1px solid var(--line)
}
.tree li:target .row { outline: 2px solid var(--tone); outline-offset: 4px; border-radius: 4px }
.row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1rem; min-height: 1.5rem }
.name b { font-weight: 600 }
.row .name { flex: 1 1 9rem; font-size: inherit; font-weight: 400; letter-spacing: 0 }
.row .name small { display: block }
.row .name small, .affected { color: var(--quiet) }
.up { color: var(--quiet) }
.state { display: inline-flex; align-items: center; gap: .5rem; font-size: .875rem }
.state:not(.operational) { font-weight: 600 }
.tree summary .name::before { margin-inline: -.875em .5em; color: var(--quiet) }

.bar {
  display: block; position: relative; height: 28px; margin-block-start: .5rem; overflow: hidden; border-radius: 4px
}
.bar svg { display: block; width: 300%; height: 28px; margin-inline-start: -200% }
.pages, .filter { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem }
.filter { margin-block: 1rem; font-size: .875rem }
.filter :is(select, button) {
  min-height: 2rem; padding: .25rem .75rem; border: 1px solid var(--quiet); border-radius: 8px;
  background: var(--page); color: var(--text); font: inherit; max-width: 100%
}
.pages a, .filter a, .back { padding-block: .25rem }
h1 { font-size: clamp(1.5rem, 1.2rem + 1.5vw, 2rem); font-weight: 650; letter-spacing: -.02em }
.of-month { font-weight: 400; color: var(--quiet) }
.statistics { margin-block: .25rem .5rem; font-size: .875rem; color: var(--quiet) }
.notice > * + * { margin-block-start: .75rem }
.notice :is(section, nav) { margin-block: 2.5rem }
.notice nav h2 { margin-block-end: .25rem }
.notice h1 { text-wrap: balance }
.facts { color: var(--quiet); font-size: .875rem }
[dir=rtl] .bar svg { transform: scaleX(-1) }
.bar path {
  fill: none; stroke: currentColor; stroke-width: 6px; vector-effect: non-scaling-stroke
}
.bar.whole { max-width: 26rem; margin-block: 1.25rem }
.bar.whole svg { width: 100%; margin: 0 }
.bar.key, .bar.key svg { flex: none; width: 6px; height: 14px; margin: 0; border-radius: 0 }
.bar .none { stroke: var(--track) }
.bar .ok { opacity: .75 }
/* Eighteen parts of the whole bar, of which a small screen shows six. */
.d {
  position: absolute; inset-block: 0; inset-inline-start: calc(var(--i) * 100% / 6 - 200%); width: calc(100% / 6);
  padding: 0; border: 0; background: none; cursor: pointer
}
.d:hover { background: #8883 }
.d:focus-visible { outline-offset: -3px }
.old, .mid { display: none }
[popover] {
  max-width: min(22rem, 100vw - 2rem); padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 12px;
  background: var(--page); color: var(--text); font-size: .875rem; box-shadow: 0 8px 32px #0003
}
[popover] > li + li { margin-block-start: .75rem }
.tree [popover] li { padding: 0; font-size: inherit }
[popover] p { font-weight: 600 }
@supports (position-area: block-end) {
  [popover] { position-area: block-end; position-try-fallbacks: flip-block; margin-block: .25rem }
}
.days { font-size: .875rem }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-block: .75rem .25rem }
.legend li { display: flex; align-items: center; gap: .5rem }

.window { font-weight: 500 }
.yours { display: block; color: var(--quiet); font-size: .875rem; font-weight: 400 }

.day, .quiet-days { padding-block: .75rem; border-block-start: 1px solid var(--line) }
.day > h3 { font-size: .875rem; margin-block-end: .25rem; color: var(--quiet) }
.day article { padding-block: .5rem }
.clamped { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; overflow: hidden }
.day article > * + * { margin-block-start: .25rem }
h4 { font-size: 1rem; font-weight: 650 }
.quiet-days { color: var(--quiet); font-size: .875rem }
.quiet-days b { margin-inline-end: .75rem; font-weight: 600 }
.more { display: inline-block; padding-block: .25rem }

@media (max-width: 36rem) {
  .card { padding-inline: 1rem }
  .tree > li { padding-inline: 1rem }
  .up, .affected { order: 1; width: 100% }
  .banner { padding: 1.25rem 1rem; gap: 1rem }
  .day .words { width: 100% }
  .bar path { stroke-width: 8px }
}
@media (min-width: 36rem) {
  .state { min-width: 8.5rem; justify-content: flex-end }
  .bar svg { width: 150%; margin-inline-start: -50% }
  .d { inset-inline-start: calc(var(--i) * 100% / 12 - 50%); width: calc(100% / 12) }
  .mid { display: block }
  .of-30 { display: none }
  .of-60 { display: inline }
}
@media (min-width: 52rem) {
  .bar svg { width: 100%; margin: 0 }
  .d { inset-inline-start: calc(var(--i) * 100% / 18); width: calc(100% / 18) }
  .old { display: block }
  .of-60 { display: none }
  .of-90 { display: inline }
}
@media (prefers-reduced-motion: no-preference) {
  summary::before, .name::before { transition: transform .15s }
}
@media print {
  .menu, .past-link, .skip, .scheme, footer details, .more, .fold summary, .back a, .filter, .pages { display: none }
  details::details-content { content-visibility: visible; block-size: auto }
  .card, .tree > li, .day article { break-inside: avoid }
}
`;
