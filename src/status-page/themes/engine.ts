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
import { drawingMemory, drawingTime, ThemeFailure } from './render-job.js';
import { type Circumstances, filtersOf } from './filters.js';
import { type FindPartial, partialTag } from './partials.js';
import { type Cleaning, isMap, Markup, plain, printed } from './safe-values.js';

/** In characters and members of lists, counted over a whole template: by the engine, where it counts. The rest is counted from outside. */
const memoryUnits = 32_000_000;

/** Liquid as themes speak it. It knows of no file, and of nothing but what it is handed. */
export function createEngine(clean: Cleaning, find: FindPartial, circumstances: () => Circumstances): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: false,
    strictVariables: false,
    relativeReference: false,
    memoryLimit: memoryUnits,
    // The process is ended long before; this is for one that nobody ends.
    renderLimit: 4 * drawingTime,
    outputEscape: value => printed(value, clean),
    operators,
  });
  // They would ask the disk for a file.
  for (const tag of ['layout', 'block']) delete engine.tags[tag];
  engine.registerTag('include', partialTag(find, false));
  engine.registerTag('render', partialTag(find, true));
  engine.registerTag('capture', Capture);
  engine.registerTag('echo', echoTag(clean));
  engine.registerTag('comment', Comment);
  engine.registerTag('ifchanged', IfChanged);
  for (const [name, filter] of Object.entries(filtersOf(clean, circumstances))) engine.registerFilter(name, filter);
  return engine;
}

type Compare = (...operands: unknown[]) => unknown;

const comparingTexts =
  (compare: Compare): Compare =>
  (...operands) =>
    compare(...operands.map(plain));

/** As Liquid has them: `<>` is another `!=`, and a map contains its keys. */
const operators = Object.fromEntries(
  Object.entries({
    ...defaultOperators,
    '<>': defaultOperators['!='],
    contains: (value: unknown, sought: unknown, context: unknown) =>
      isMap(value)
        ? Object.hasOwn(value, String(sought))
        : (defaultOperators.contains as Compare)(value, sought, context),
  }).map(([sign, compare]) => [sign, comparingTexts(compare as Compare)]),
) as typeof defaultOperators;

/** What was captured was printed already: values in it are escaped. */
class Capture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    const scope = context.bottom() as Record<string, unknown>;
    scope[this.variable] = new Markup(String(scope[this.variable]));
  }
}

/** The engine's own forgets on the way what is markup. */
const echoTag = (clean: Cleaning) =>
  class extends EchoTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const { value } = this as unknown as { value?: Value };
      if (value) emitter.write(printed(yield value.value(context, false), clean));
    }
  };

/** Says nothing, and holds whatever it likes: other comments, too. */
class Comment extends Tag {
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

/** Prints what is in it only when that is another text than the last time. */
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

const sentences: [pattern: RegExp, sentence: string][] = [
  [/template render limit exceeded/, `took longer than ${drawingTime} ms`],
  [/(memory alloc|parse length) limit exceeded|Invalid (string|array) length/i, `needed more than ${drawingMemory} MB`],
  [/Maximum call stack size exceeded/, 'is nested too deeply'],
];

/** What went wrong in a file of the theme, for its author. */
export function failureOf(error: unknown, file: string): ThemeFailure {
  const token = LiquidError.is(error)
    ? (error as LiquidError & { token?: { file?: string; getPosition(): [number, number] } }).token
    : undefined;
  const cause = (error as { originalError?: Error }).originalError ?? (error as Error);
  const why = cause.message.replace(/(, file:[^\n]*)?, line:\d+, col:\d+$/, '');
  const [, sentence = why] = sentences.find(([pattern]) => pattern.test(why)) ?? [];
  const place = `"${token?.file ?? file}"${token ? `, line ${token.getPosition()[0]}` : ''}: `;
  // A template is the uploader's text: it could hold line breaks, terminal codes or right-to-left marks.
  return new ThemeFailure(`${place}${sentence}`.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 300));
}
