import type { DemoComponent, DemoNotice } from '../../src/notices/demo/demo-data.js';
import type { SnapshotPage } from '../../src/status-page/view/snapshot.js';

/** A page with overlong words, deep nesting, and every Markdown construct. */
const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2);

export const longPage: Partial<SnapshotPage> = {
  name: `The ${unbroken} of the United Kingdom of Everything, and all of its subsidiaries`,
  supportTelephone: '+44 20 7946 0000 extension 12345678901234567890',
  supportUrl: `https://help.example/${unbroken}`,
  timelineThresholdSeconds: 30 * 86_400,
  timelineSortOrder: 'asc',
};

const nested = (depth: number): DemoComponent => ({
  name: `Level ${depth}`,
  description: depth % 2 ? 'A level of a tree that goes deeper than anybody should' : undefined,
  parts: depth < 7 ? [nested(depth + 1), { name: `Beside level ${depth + 1}` }] : undefined,
});

export const longComponents: DemoComponent[] = [
  { name: unbroken, description: `${unbroken} ${unbroken}` },
  nested(1),
  { name: 'خدمة الدفع', description: 'مدفوعات البطاقات' },
];

/** Every Markdown construct. */
const markdown = `# A heading

Text with **strong**, *emphasised*, ~~deleted~~ and \`code\`;
a [link](https://example.com/${unbroken}) and ![a picture](https://elsewhere.example/x.png).

## Another

1. first
2. second
   * nested

> A quotation
> of two lines.

| Region | Errors | Since | Share of all requests | Remark |
|---|---|---|---|---|
| ${'Frankfurt'.repeat(6)} | 12,345 | 14:02 | 12 % | ${'remark '.repeat(12)} |
| Dublin | 0 | | | |

\`\`\`
${'x'.repeat(300)}
\`\`\`

---

<b onclick="alert(1)">HTML</b> <script>alert(1)</script><img src=x onerror=alert(1)>
`;

export function longNotices(now: number): DemoNotice[] {
  const minutesBefore = (minutes: number) => new Date(now - minutes * 60_000);
  const line = (minutesAgo: number) => ({ text: `${unbroken}. ${'We keep looking. '.repeat(30)}`, minutesAgo });
  return [
    ...Array.from(
      { length: 6 },
      (_, index): DemoNotice => ({
        type: 'unplanned',
        subject: `Incident of old, number ${index + 1}`,
        state: 'resolved',
        components: ['Level 3'],
        beganAt: minutesBefore((24 - index) * 1440),
        endedAt: minutesBefore((24 - index) * 1440 - 3000),
        minutesAgo: (24 - index) * 1440,
        updates: [line((24 - index) * 1440)],
      }),
    ),
    {
      type: 'general',
      subject: `Announcement of the ${unbroken}`,
      minutesAgo: 700,
      updates: [{ text: markdown, minutesAgo: 700 }],
    },
    { type: 'general', subject: 'An announcement without a word', minutesAgo: 650, updates: [] },
    {
      type: 'planned',
      subject: `Work on ${unbroken}`,
      components: [unbroken, 'Level 7'],
      minutesAgo: 500,
      beginsAt: minutesBefore(-30 * 1440),
      endsAt: minutesBefore(-37 * 1440),
      updates: [{ text: 'A week of work.', minutesAgo: 500 }],
    },
    {
      type: 'planned',
      subject: 'Maintenance beside the incident',
      state: 'underway',
      components: ['خدمة الدفع'],
      minutesAgo: 90,
      beginsAt: minutesBefore(60),
      endsAt: minutesBefore(-60),
      beganAt: minutesBefore(60),
      updates: [],
    },
    {
      type: 'unplanned',
      subject: `Nothing works: ${unbroken}`,
      state: 'investigating',
      components: [unbroken, 'Level 5'],
      beganAt: minutesBefore(3000),
      minutesAgo: 3000,
      updates: [line(3000), line(2000), line(1000), { text: markdown, minutesAgo: 50 }],
    },
  ];
}
