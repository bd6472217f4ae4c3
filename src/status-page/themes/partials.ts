import {
  Context,
  type Emitter,
  evalToken,
  Hash,
  type Liquid,
  Tag,
  type TagToken,
  type Template,
  type TopLevelToken,
  type ValueToken,
} from 'liquidjs';
import { createForloop } from './loop-tags.js';
import { printValue } from './safe-values.js';

/** Limits recursion; a readable tree of components is far less deep. */
const maxDepth = 100;

/** Finds a partial by the name used in a template; `includedFrom` is the path of that template. */
export type FindPartial = (name: string, includedFrom: string) => Template[];

/**
 * `{% include 'components/list' components: component.children %}`, with or without commas, and `with one as name`,
 * `for many as name`. The engine's own tags load files; these find partials in the theme only. `include` shares the
 * variables of its caller; `render` (isolated) sees the globals and its arguments.
 */
export function createPartialTag(find: FindPartial, isIsolated: boolean) {
  return class extends Tag {
    private readonly path: ValueToken;
    private readonly bound: ValueToken | null;
    private readonly isForEach: boolean;
    private readonly alias: string | null;
    private readonly args: Hash;

    constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
      super(token, rest, liquid);
      const { tokenizer } = this;
      const path = tokenizer.readValue();
      tokenizer.assert(path, 'the name of a file is missing');
      this.path = path as ValueToken;
      const keyword = this.readKeyword('with') ?? this.readKeyword('for');
      this.isForEach = keyword === 'for';
      this.bound = keyword ? ((tokenizer.readValue() as ValueToken | undefined) ?? null) : null;
      this.alias = this.readKeyword('as') ? tokenizer.readIdentifier().content : null;
      this.args = new Hash(tokenizer, ':');
    }

    /** A keyword of the tag. Before a colon, the same word is the name of an argument. */
    private readKeyword(keyword: string): string | null {
      const { tokenizer } = this;
      const start = tokenizer.p;
      const isPresent = tokenizer.readIdentifier().content === keyword;
      tokenizer.skipBlank();
      if (isPresent && tokenizer.peek() !== ':') return keyword;
      tokenizer.p = start;
      return null;
    }

    override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const name = printValue(yield evalToken(this.path, context), text => text);
      const templates = find(name, this.token.file ?? '');
      const args = (yield this.args.render(context)) as Record<string, unknown>;
      const bound = this.bound && (yield evalToken(this.bound, context));
      const variable = this.alias ?? name.split('/').at(-1)!;
      const depth = Number(context.getRegister('depth')) || 0;
      if (depth >= maxDepth) throw new Error(`"${name}" is included within itself more than ${maxDepth} times`);
      // As in Liquid, `include` with a list renders the partial for each member.
      const isForEach = this.isForEach || !isIsolated;
      const items: unknown[] = isForEach && Array.isArray(bound) ? bound : [bound];
      for (const [index, item] of items.entries()) {
        const forloop = this.isForEach && { forloop: createForloop(items.length, index) };
        const scope = Object.assign(Object.create(null), args, this.bound && { [variable]: item }, forloop);
        const inner = isIsolated ? context.spawn(scope) : context;
        if (!isIsolated) context.push(scope);
        inner.setRegister('depth', depth + 1);
        yield this.liquid.renderer.renderTemplates(templates, inner, emitter);
        inner.setRegister('depth', depth);
        if (!isIsolated) context.pop();
      }
    }
  };
}
