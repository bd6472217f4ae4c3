import { describe, expect, test } from '@jest/globals';
import type { Run } from '../../../console/src/publishing/chat-markup.ts';
import { readChatMessage } from '../../../console/src/publishing/chat-message.ts';
import { textChannels } from '../../../src/notifications/channels/registry.js';
import { createPlannedSnapshot, createSnapshot } from '../../support/message-snapshots.js';

const render = (name: string, snapshot = createSnapshot()) =>
  textChannels.find(({ enumName }) => enumName === name)!.preview.render(snapshot);

const toText = (runs: Run[]): string =>
  runs.map(run => (typeof run === 'string' ? run : `<${run.style}>${toText(run.runs)}</${run.style}>`)).join('');

const read = (text: string) =>
  readChatMessage(text)?.map(
    part => `${part.kind}: ${part.kind === 'fact' ? `${part.title} = ` : ''}${toText(part.runs)}`,
  );

const styled = createSnapshot({
  text: 'Now **all** of _it_ is ~~fine~~: `a_b` \\*as\\* [said](https://a.example/b_c) & snake_case_name',
  notice: { subject: 'Cards *are* <declined> & late' },
});

describe('the preview of a message', () => {
  test.each(['SLACK', 'DISCORD', 'TEAMS'])(
    'of %s has its subject and its text with their styles, and no markup',
    name => {
      const parts = read(render(name, styled))!;
      expect(parts).toContainEqual(
        name === 'SLACK' ? 'title: 🟠 Cards *are* <declined> & late' : 'title: Cards *are* <declined> & late',
      );
      const text = parts.find(part => part.includes('Now '))!;
      expect(text).toContain('<strong>all</strong> of <em>it</em> is ');
      expect(text).toMatch(/<u>said<.u> & snake_case_name$/);
      // Slack has no escape for it.
      expect(text).toContain(name === 'SLACK' ? '<strong>as</strong>' : '*as*');
      expect(parts.join()).not.toMatch(/:\w+_circle:|&amp;|\\/);
    },
  );

  test.each(['SLACK', 'DISCORD', 'TEAMS'])('of %s names state, components and window as facts', name => {
    const facts = read(render(name, createPlannedSnapshot()))!.filter(part => part.startsWith('fact'));
    expect(facts.slice(0, 2)).toEqual(['fact: State = Scheduled', 'fact: Affected components = Checkout']);
    expect(facts[2]).toMatch(/^fact: Window = Friday, 27 November 2026, 22:00 – 23:30 CET/);
  });

  test('of a push message has its title and its body alone', () => {
    expect(read(render('PUSH'))!.map(part => part.split(':')[0])).toEqual(['title', 'text']);
  });

  test.each(['MASTODON', 'SMS', 'WEBHOOK'])('of %s is no drawing', name => {
    expect(read(render(name))).toBeUndefined();
  });
});
