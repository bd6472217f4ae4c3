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
import { printed } from './safe-values.js';

/** A tree of components that is deeper is none that anybody could read. */
const deepest = 100;

/** What is at a name that a template of the theme asks for. */
export type FindPartial = (name: string, askedIn: string) => Template[];

/**
 * `{% include 'components/list' components: component.children %}`, with commas or without, and `with one as name`, `for many as name`. The engine's own tags
 * look for files; these know the theme alone. An include sees the variables of its caller; what is rendered sees the page and what it is handed.
 */
export function partialTag(find: FindPartial, isolated: boolean) {
  return class extends Tag {
    private readonly path: ValueToken;
    private readonly bound: ValueToken | null;
    private readonly isForEach: boolean;
    private readonly alias: string | null;
    private readonly handed: Hash;

    constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
      super(token, rest, liquid);
      const { tokenizer } = this;
      const path = tokenizer.readValue();
      tokenizer.assert(path, 'the name of a file is missing');
      this.path = path as ValueToken;
      const word = this.readWord('with') ?? this.readWord('for');
      this.isForEach = word === 'for';
      this.bound = word ? ((tokenizer.readValue() as ValueToken | undefined) ?? null) : null;
      this.alias = this.readWord('as') ? tokenizer.readIdentifier().content : null;
      this.handed = new Hash(tokenizer, ':');
    }

    /** A word of the syntax; before a colon the same letters name an argument. */
    private readWord(word: string): string | null {
      const { tokenizer } = this;
      const before = tokenizer.p;
      const isThere = tokenizer.readIdentifier().content === word;
      tokenizer.skipBlank();
      if (isThere && tokenizer.peek() !== ':') return word;
      tokenizer.p = before;
      return null;
    }

    override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
      const name = printed(yield evalToken(this.path, context), text => text);
      const templates = find(name, this.token.file ?? '');
      const handed = (yield this.handed.render(context)) as Record<string, unknown>;
      const bound = this.bound && (yield evalToken(this.bound, context));
      const variable = this.alias ?? name.split('/').at(-1)!;
      const depth = Number(context.getRegister('depth')) || 0;
      if (depth >= deepest) throw new Error(`"${name}" is included within itself more than ${deepest} times`);
      const each: unknown[] = this.isForEach && Array.isArray(bound) ? bound : [bound];
      for (const [index, one] of each.entries()) {
        const forloop = this.isForEach && { forloop: placeIn(each.length, index) };
        const scope = Object.assign(Object.create(null), handed, this.bound && { [variable]: one }, forloop);
        const inner = isolated ? context.spawn(scope) : context;
        if (!isolated) context.push(scope);
        inner.setRegister('depth', depth + 1);
        yield this.liquid.renderer.renderTemplates(templates, inner, emitter);
        inner.setRegister('depth', depth);
        if (!isolated) context.pop();
      }
    }
  };
}

const placeIn = (length: number, index: number) => ({
  ...{ length, index: index + 1, index0: index, rindex: length - index, rindex0: length - index - 1 },
  ...{ first: index === 0, last: index === length - 1 },
});
