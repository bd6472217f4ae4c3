import { type Context, CycleTag, type Emitter, evalToken, ForTag, TablerowTag, Value, type ValueToken } from 'liquidjs';
import { type Escape, printValue, unwrap } from './safe-values.js';

/** The members that a loop goes through: a text is one member, a map has its pairs. */
function toMembers(value: unknown): readonly unknown[] {
  const content = unwrap(value);
  if (Array.isArray(content)) return content;
  if (typeof content === 'string') return content ? [content] : [];
  return typeof content === 'object' && content ? Object.entries(content) : [];
}

/** Null: there is no such limit. */
function toCount(value: unknown): number | null {
  const content = unwrap(value);
  return content === undefined || content === null ? null : Math.trunc(Number.parseFloat(String(content))) || 0;
}

/** As in Liquid, a text is never cut, and nothing is counted from the end. */
function takeSegment(value: unknown, from: number, limit: number | null): readonly unknown[] {
  const members = toMembers(value);
  if (typeof unwrap(value) === 'string') return members;
  return members.slice(Math.max(from, 0), limit === null ? undefined : Math.max(from + limit, 0));
}

export const createForloop = (length: number, index: number, more: object = {}) => ({
  length,
  index: index + 1,
  index0: index,
  rindex: length - index,
  rindex0: length - index - 1,
  first: index === 0,
  last: index === length - 1,
  ...more,
});

type Generated = Generator<unknown, void, unknown>;

/** `reversed` counts directly after the list only, and turns around what offset and limit leave of it. */
export class RubyForTag extends ForTag {
  override *render(context: Context, emitter: Emitter): Generated {
    const { renderer } = this.liquid;
    const name = `${this.variable}-${this.collection.getText()}`;
    const collection = yield evalToken(this.collection, context);
    context.push(createScope({ continue: context.getRegister(name, 0) }));
    const options = (yield this.hash.render(context)) as Record<string, unknown>;
    context.pop();
    const from = toCount(options.offset) ?? 0;
    const segment = takeSegment(collection, from, toCount(options.limit));
    context.setRegister(name, from + segment.length);
    if (!segment.length) {
      yield renderer.renderTemplates(this.elseTemplates, context, emitter);
      return;
    }
    const isReversed = Object.keys(this.hash.hash)[0] === 'reversed';
    const parentloop = context.getSync(['forloop']);
    const scope = createScope({});
    context.push(scope);
    for (const [index, member] of (isReversed ? segment.toReversed() : segment).entries()) {
      scope[this.variable] = member;
      scope.forloop = createForloop(segment.length, index, { name, parentloop });
      yield renderer.renderTemplates(this.templates, context, emitter);
      if (takeInterrupt(context)) break;
    }
    context.pop();
  }
}

const createScope = (values: object): Record<string, unknown> => Object.assign(Object.create(null), values);

/** Ends the break or the continue of a loop's body. Returns whether it was a break. */
function takeInterrupt(context: Context): boolean {
  const isBreak = context.breakCalled;
  context.breakCalled = false;
  context.continueCalled = false;
  return isBreak;
}

/** With the line breaks of Liquid, and one row for a list without members. */
export class RubyTablerowTag extends TablerowTag {
  override *render(context: Context, emitter: Emitter): Generated {
    const collection = yield evalToken(this.collection, context);
    const { renderer } = this.liquid;
    const options = (yield this.args.render(context)) as Record<string, unknown>;
    if (unwrap(collection) === undefined || unwrap(collection) === null || unwrap(collection) === false) return;
    const limit = 'limit' in options ? (toCount(options.limit) ?? 0) : null;
    const segment = takeSegment(collection, toCount(options.offset) ?? 0, limit);
    const cols = 'cols' in options ? (toCount(options.cols) ?? 0) : segment.length;
    const scope = createScope({});
    context.push(scope);
    emitter.write('<tr class="row1">\n');
    for (const [index, member] of segment.entries()) {
      const row = cols > 0 ? Math.floor(index / cols) + 1 : 1;
      const col0 = cols > 0 ? index % cols : index;
      const isLast = col0 + 1 === cols;
      scope[this.variable] = member;
      const place = { row, col: col0 + 1, col0, col_first: col0 === 0, col_last: isLast };
      scope.tablerowloop = createForloop(segment.length, index, place);
      emitter.write(`<td class="col${col0 + 1}">`);
      yield renderer.renderTemplates(this.templates, context, emitter);
      emitter.write('</td>');
      if (takeInterrupt(context)) break;
      if (isLast && index < segment.length - 1) emitter.write(`</tr>\n<tr class="row${row + 1}">`);
    }
    emitter.write('</tr>\n');
    context.pop();
  }
}

interface CycleParts {
  group?: ValueToken;
  candidates: ConstructorParameters<typeof Value>[0][];
}

/** Cycles of one group share their position, whatever they list. */
export const createCycleTag = (escapeValue: Escape) =>
  class extends CycleTag {
    override *render(context: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
      const { group, candidates } = this as unknown as CycleParts;
      if (!group) return yield* super.render(context, emitter);
      const positions = context.getRegister('cycle-groups', new Map()) as Map<unknown, number>;
      const name = unwrap(yield evalToken(group, context));
      const position = positions.get(name) ?? 0;
      positions.set(name, position + 1 < candidates.length ? position + 1 : 0);
      const candidate = candidates[position];
      if (candidate === undefined) return '';
      return printValue(yield new Value(candidate, this.liquid).value(context, false), escapeValue);
    }
  };
