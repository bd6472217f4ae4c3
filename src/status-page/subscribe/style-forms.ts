import { minifyCss } from '../html/style.js';

/** The styles of the pages with forms. */
export const formStyle = minifyCss(`
.leaf { max-width: 40rem }
.leaf > * + *, form > * + * { margin-block-start: 1.25rem }
.field label, .field .hint, .field .wrong { display: block }
.field label, legend { font-weight: 600 }
legend { padding: 0 }
fieldset { margin-inline: 0; padding: 0; border: 0; min-width: 0 }
.hint { color: var(--quiet); font-size: .875rem }
.wrong { font-weight: 600 }
.wrong::before { content: "! "; color: var(--warn) }
.field input {
  width: 100%; max-width: 26rem; min-height: 2.75rem; margin-block-start: .25rem; padding: .5rem .75rem;
  border: 1px solid var(--quiet); border-radius: 8px;
  background: var(--page); color: var(--text); font: inherit
}
.field input[aria-invalid] { border: 2px solid var(--warn) }
.leaf button, .act, .ways a {
  min-height: 2.75rem; padding: .5rem 1.5rem; border: 1px solid var(--button-line); border-radius: 8px;
  background: var(--button); color: var(--button-text);
  font: inherit; font-weight: 600; cursor: pointer
}
.act { display: inline-block; line-height: 1.75rem; text-decoration: none }
.ways { display: flex; flex-wrap: wrap; gap: .5rem }
.ways a {
  display: flex; gap: .5rem; align-items: center; padding-inline: 1rem; border-color: var(--line);
  background: none; color: inherit; text-decoration: none
}
.ways [aria-current] { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link) }
.ways [aria-current] .i { color: var(--link) }
.choices label { display: flex; gap: .75rem; align-items: baseline; padding-block: .25rem }
.choices input {
  width: 1.125rem; height: 1.125rem; flex: none; accent-color: var(--link); transform: translateY(.1875rem)
}
.choices > ul { padding-inline-start: 1.75rem }
.choices:has([value=all]:checked) > ul { display: none }
.choices ul ul, .choices details ul { padding-inline-start: 1.75rem }
.choices summary { padding-block: .25rem; margin-inline-start: 1.75rem; color: var(--quiet); font-size: .875rem }
.chosen { list-style: disc; padding-inline-start: 1.25rem }
.problems { padding: 1rem 1.25rem; border: 2px solid var(--warn); border-radius: 12px }
.problems ul { list-style: disc; padding-inline-start: 1.25rem }
.done { padding: 1rem 1.25rem; border: 2px solid var(--ok); border-radius: 12px }
@media (forced-colors: active) { .leaf button, .act, .ways a { border-color: ButtonBorder } }
`);
