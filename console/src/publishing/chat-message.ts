import { markdown, mrkdwn, type Run, toRuns } from './chat-markup.ts';

/** What a chat or a browser shows of a message, from top to bottom. */
export type MessagePart =
  | { kind: 'title' | 'text' | 'quiet' | 'button'; runs: Run[] }
  | { kind: 'fact'; title: string; runs: Run[] };

/** What Slack shows in place of the names of its emoji. */
const emoji: Record<string, string> = {
  ':large_green_circle:': '🟢',
  ':large_orange_circle:': '🟠',
  ':large_yellow_circle:': '🟡',
  ':red_circle:': '🔴',
  ':large_blue_circle:': '🔵',
};

type Text = { text: string };
type Field = { title: string; value: string };

interface SlackBlock {
  type: string;
  text?: Text;
  fields?: Text[];
  elements?: { text: Text | string }[];
}

/** Bodies for Slack, Discord and Teams, and what a browser is sent: each has parts that no other has. */
interface Body {
  blocks?: SlackBlock[];
  attachments?: { blocks?: SlackBlock[]; content?: { body: CardElement[]; actions?: { title: string }[] } }[];
  embeds?: { title: string; description?: string; fields: { name: string; value: string }[]; footer: Text }[];
  title?: string;
  body?: string;
}

interface CardElement {
  type: string;
  inlines?: {
    text: string;
    size?: string;
    isSubtle?: boolean;
    weight?: string;
    italic?: boolean;
    selectAction?: object;
  }[];
  facts?: Field[];
}

/** Undefined: it is not the JSON of a chat or a browser. */
export function readChatMessage(text: string): MessagePart[] | undefined {
  if (!text.startsWith('{')) return undefined;
  const { blocks, attachments = [], embeds, title, body } = JSON.parse(text) as Body;
  if (blocks) return [...blocks, ...attachments.flatMap(attachment => attachment.blocks ?? [])].flatMap(readSlackBlock);
  const card = attachments[0]?.content;
  if (card)
    return [...card.body.flatMap(readCardElement), ...(card.actions ?? []).map(action => toButton(action.title))];
  if (embeds)
    return embeds.flatMap(embed => [
      { kind: 'title', runs: toRuns(embed.title, markdown) },
      ...(embed.description ? [{ kind: 'text' as const, runs: toRuns(embed.description, markdown) }] : []),
      ...embed.fields.map(({ name, value }) => toFact(name, toRuns(value, markdown))),
      { kind: 'quiet', runs: [embed.footer.text] },
    ]);
  if (title === undefined || body === undefined) return undefined;
  return [
    { kind: 'title', runs: [title] },
    { kind: 'text', runs: [body] },
  ];
}

const toFact = (title: string, runs: Run[]): MessagePart => ({ kind: 'fact', title, runs });
const toButton = (label: string): MessagePart => ({ kind: 'button', runs: [label] });

function readSlackBlock({ type, text, fields = [], elements = [] }: SlackBlock): MessagePart[] {
  const texts = elements.map(element => (typeof element.text === 'string' ? element.text : element.text.text));
  if (type === 'header') return [{ kind: 'title', runs: [text!.text.replace(/^:\w+:/, name => emoji[name] ?? name)] }];
  if (type === 'actions') return texts.map(toButton);
  if (type === 'context') return texts.map(each => ({ kind: 'quiet', runs: toRuns(each, mrkdwn) }));
  const facts = fields.map(field => {
    const [title, ...lines] = field.text.split('\n');
    return toFact(mrkdwn.unescape(title!.slice(1, -1)), toRuns(lines.join('\n'), mrkdwn));
  });
  return text ? [{ kind: 'text', runs: toRuns(text.text, mrkdwn) }, ...facts] : facts;
}

function readCardElement({ inlines, facts = [] }: CardElement): MessagePart[] {
  if (!inlines) return facts.map(({ title, value }) => toFact(title, toRuns(value, markdown)));
  const kind = inlines[0]?.size === 'large' ? 'title' : inlines[0]?.isSubtle ? 'quiet' : 'text';
  const runs = inlines.map(({ text, weight, italic, selectAction }): Run => {
    if (selectAction) return { style: 'u', runs: [text] };
    if (weight === 'bolder' && kind === 'text') return { style: 'strong', runs: [text] };
    return italic ? { style: 'em', runs: [text] } : text;
  });
  return [{ kind, runs }];
}
