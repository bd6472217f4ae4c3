import { describe, expect, test } from '@jest/globals';
import { apologyTheme, tableTheme, timelineTheme } from '../../../support/existing-themes.js';
import { payloads } from '../../../support/payloads.js';
import { createHostilePage } from '../../../support/hostile-page.js';
import { renderInline } from '../../../support/theme-rendering.js';

const tag = /<(?:!DOCTYPE html|\/?[a-z][a-z0-9]*((?: [a-z-]+(?:="[^"<>]*")?)*) ?\/?)>/g;

/** Returns all attributes of a document. Fails if anything outside of well-formed tags looks like a tag. */
function parseAttributes(document: string): [name: string, value: string][] {
  const tags = [...document.matchAll(tag)];
  expect(document.replaceAll(tag, '').match(/<.{0,80}/s)).toBeNull();
  return tags.flatMap(([, attributes = '']) =>
    [...attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(([, name, value]): [string, string] => [name!, value!]),
  );
}

describe('200 payloads in every text of a page stay text', () => {
  test.each([
    ['with a layout', timelineTheme],
    ['of one file', apologyTheme],
    ['that uses the whole Liquid language', tableTheme],
  ])('in a theme %s', (_which, theme) => {
    const { snapshot, viewOptions } = createHostilePage(payloads);
    const options = { snapshot, now: viewOptions.now };
    for (const [name, document] of Object.entries(renderInline(theme, options)).filter(
      ([each]) => !each.includes('/'),
    )) {
      const attributes = parseAttributes(document);
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

  test('in a style sheet', () => {
    const { snapshot, viewOptions } = createHostilePage(payloads);
    const sheet =
      'a { content: "{{ page.name }}"; color: red }\n{% for n in page.notices.present %}b { content: \'{{ n.subject }}\' }\n{% endfor %}c {}';
    const rendered = renderInline(
      { 'status-page.liquid': '', 'assets/a.css': sheet },
      { snapshot, now: viewOptions.now },
    )['assets/a.css']!;
    const blanked = rendered.replace(/"[^"]*"/g, '""').replace(/'[^']*'/g, "''");
    expect(blanked.replace(/(b \{ content: '' \}\n)+/, '')).toBe('a { content: ""; color: red }\nc {}');
  });
});
