import { describe, expect, test } from '@jest/globals';
import { apologyTheme, tableTheme, timelineTheme } from '../../support/existing-themes.js';
import { payloads } from '../../support/payloads.js';
import { poisoned } from '../../support/hostile-page.js';
import { drawHere } from '../../support/theme-rendering.js';

const tag = /<(?:!DOCTYPE html|\/?[a-z][a-z0-9]*((?: [a-z-]+(?:="[^"<>]*")?)*) ?\/?)>/g;

/** What stands in a document, when it is as the theme wrote it: all that begins like a tag is one, and no attribute runs anything. */
function attributesOf(document: string): [name: string, value: string][] {
  const tags = [...document.matchAll(tag)];
  expect(document.replaceAll(tag, '').match(/<.{0,80}/s)).toBeNull();
  return tags.flatMap(([, attributes = '']) =>
    [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name, value]): [string, string] => [name!, value!]),
  );
}

describe('200 payloads in every text of a page stay texts', () => {
  test.each([
    ['with a layout', timelineTheme],
    ['of one file', apologyTheme],
    ['of the whole language', tableTheme],
  ])('in a theme %s', (_which, theme) => {
    const { snapshot, circumstances } = poisoned(payloads);
    const setting = { snapshot, now: circumstances.now };
    for (const [name, document] of Object.entries(drawHere(theme, setting)).filter(([each]) => !each.includes('/'))) {
      const attributes = attributesOf(document);
      const names = new Set(attributes.map(([each]) => each));
      expect([
        name,
        [...names].filter(
          each => !/^(lang|charset|name|content|rel|href|src|alt|class|id|datetime|tabindex|start)$/.test(each),
        ),
      ]).toEqual([name, []]);
      const links = attributes.filter(([each]) => each === 'href' || each === 'src').map(([, value]) => value);
      expect([name, links.filter(value => !/^(https?:\/\/|mailto:|tel:|\/theme\/)/.test(value))]).toEqual([name, []]);
    }
  });

  test('a style sheet keeps its rules', () => {
    const { snapshot, circumstances } = poisoned(payloads);
    const sheet =
      'a { content: "{{ page.name }}"; color: red }\n{% for n in page.notices.present %}b { content: \'{{ n.subject }}\' }\n{% endfor %}c {}';
    const drawn = drawHere({ 'status-page.liquid': '', 'assets/a.css': sheet }, { snapshot, now: circumstances.now })[
      'assets/a.css'
    ]!;
    const blanked = drawn.replace(/"[^"]*"/g, '""').replace(/'[^']*'/g, "''");
    expect(blanked.replace(/(b \{ content: '' \}\n)+/, '')).toBe('a { content: ""; color: red }\nc {}');
  });
});
