import {
  CaptureTag,
  type Context,
  defaultOperators,
  EchoTag,
  type Emitter,
  Liquid,
  LiquidError,
  type Parser,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  type Value,
} from 'liquidjs';
import { renderMemoryLimitMb, ThemeFailure } from './render-job.js';
import { type FilterContext, createFilters } from './filters.js';
import { createCycleTag, RubyForTag, RubyTablerowTag } from './loop-tags.js';
import { type FindPartial, createPartialTag } from './partials.js';
import { type Escape, isMap, HtmlValue, toPrimitive, printValue } from './safe-values.js';

/** Characters and list members of one template that the engine counts. The heap limit covers the rest. */
const memoryLimit = 32_000_000;

/** Creates the Liquid engine for themes. It has no file system: templates see only what is passed to them. */
export function createEngine(escapeValue: Escape, find: FindPartial, getContext: () => FilterContext): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: false,
    strictVariables: false,
    relativeReference: false,
    groupedExpressions: true,
    memoryLimit,
    outputEscape: value => printValue(value, escapeValue),
    operators,
  });
  // These tags load files from disk.
  for (const tag of ['layout', 'block']) delete engine.tags[tag];
  engine.registerTag('include', createPartialTag(find, false));
  engine.registerTag('render', createPartialTag(find, true));
  engine.registerTag('capture', CaptureHtml);
  engine.registerTag('echo', createEchoTag(escapeValue));
  engine.registerTag('comment', NestableComment);
  engine.registerTag('ifchanged', IfChanged);
  engine.registerTag('for', RubyForTag);
  engine.registerTag('tablerow', RubyTablerowTag);
  engine.registerTag('cycle', createCycleTag(escapeValue));
  for (const [name, filter] of Object.entries(createFilters(escapeValue, getContext)))
    engine.registerFilter(name, filter);
  return engine;
}

type Compare = (...operands: unknown[]) => unknown;

const withPrimitives =
  (compare: Compare): Compare =>
  (...operands) =>
    compare(...operands.map(operand => toPrimitive(operand) ?? null));

const isOrdered = (operand: unknown) => ['number', 'string'].includes(typeof operand);

/** Numbers and texts have an order: a comparison with anything else is false, as in Liquid. */
const ordered =
  (compare: Compare): Compare =>
  (left, right, context) =>
    isOrdered(left) && isOrdered(right) && compare(left, right, context);

/** As in Liquid: `<>` is the same as `!=`, and a map contains its keys. */
const operators = Object.fromEntries(
  Object.entries({
    ...defaultOperators,
    '<>': defaultOperators['!='],
    ...Object.fromEntries(
      (['<', '>', '<=', '>='] as const).map(name => [name, ordered(defaultOperators[name] as Compare)]),
    ),
    contains: (value: unknown, item: unknown, context: unknown) =>
      isMap(value) ? Object.hasOwn(value, String(item)) : (defaultOperators.contains as Compare)(value, item, context),
  }).map(([operator, compare]) => [operator, withPrimitives(compare as Compare)]),
) as typeof defaultOperators;

/** The captured text is HTML: the values in it are escaped already. */
class CaptureHtml extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    const scope = context.bottom() as Record<string, unknown>;
    scope[this.variable] = new HtmlValue(String(scope[this.variable]));
  }
}

/** The engine's own tag loses the `HtmlValue` on the way. */
const createEchoTag = (escapeValue: Escape) =>
  class extends EchoTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const { value } = this as unknown as { value?: Value };
      if (value) emitter.write(printValue(yield value.value(context, false), escapeValue));
    }
  };

/** Prints nothing. Unlike the engine's own, it may contain other comments. */
class NestableComment extends Tag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    let depth = 1;
    while (depth && rest.length) {
      const { name } = rest.shift() as Partial<TagToken>;
      if (name === 'comment') depth += 1;
      if (name === 'endcomment') depth -= 1;
    }
    if (depth) throw new Error(`tag ${token.getText()} not closed`);
  }

  override render(): void {}
}

/** Prints its content only when that differs from the last time. */
class IfChanged extends Tag {
  private readonly templates: Template[] = [];

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid);
    const stream = parser
      .parseStream(rest)
      .on('tag:endifchanged', () => void stream.stop())
      .on<Template>('template', template => this.templates.push(template))
      .on('end', () => {
        throw new Error(`tag ${token.getText()} not closed`);
      });
    stream.start();
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void, string> {
    const text = yield this.liquid.renderer.renderTemplates(this.templates, context);
    if (context.getRegister('ifchanged') === text) return;
    context.setRegister('ifchanged', text);
    emitter.write(text);
  }
}

const messagesForAuthors: [pattern: RegExp, sentence: string][] = [
  [
    /(memory alloc|parse length) limit exceeded|Invalid (string|array) length/i,
    `needed more than ${renderMemoryLimitMb} MB`,
  ],
  [/Maximum call stack size exceeded/, 'is nested too deeply'],
];

/** Converts an error of the engine to a message for the author of the theme. */
export function toThemeFailure(error: unknown, file: string): ThemeFailure {
  const token = LiquidError.is(error)
    ? (error as LiquidError & { token?: { file?: string; getPosition(): [number, number] } }).token
    : undefined;
  const cause = (error as { originalError?: Error }).originalError ?? (error as Error);
  const reason = cause.message.replace(/(, file:[^\n]*)?, line:\d+, col:\d+$/, '');
  const [, sentence = reason] = messagesForAuthors.find(([pattern]) => pattern.test(reason)) ?? [];
  const location = `"${token?.file ?? file}"${token ? `, line ${token.getPosition()[0]}` : ''}: `;
  // The message quotes the template, which may contain line breaks, terminal codes or right-to-left marks.
  return new ThemeFailure(`${location}${sentence}`.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 300));
}
