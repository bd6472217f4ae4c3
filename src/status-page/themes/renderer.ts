import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { Context, type Liquid, type Template } from 'liquidjs';
import { isPicture } from './assets.js';
import {
  type Commission,
  type Drawn,
  type TemplateName,
  templateNames,
  ThemeFailure,
  type ThemeSource,
} from './render-job.js';
import { createEngine, failureOf } from './engine.js';
import type { Circumstances } from './filters.js';
import { type Cleaning, escaped, inPicture, Markup, withoutSigns } from './safe-values.js';
import { revive } from './deserialize.js';

const layout = 'layouts/boilerplate';
/** Stands in drawn assets for the hash of them all, which is not known before they are drawn. */
const laterHash = 'h-of-all-assets-';
/** In characters. No page that anybody reads comes near. */
const longestDrawing = 4_000_000;

/** Draws with one theme, again and again. Nothing of a drawing is there in the next one but the parsed templates. */
export class Drawer {
  private readonly pages = this.engine(escaped);
  private readonly sheets = this.engine(withoutSigns);
  private readonly pictures = this.engine(inPicture);
  /** Those that are drawn. A picture that does not parse has signs of Liquid by chance, and is served as it came. */
  private readonly assets: readonly string[];
  private circumstances!: Circumstances;

  /** A template that does not parse, used or not, is a failure. */
  constructor(private readonly source: ThemeSource) {
    for (const path of source.templates.keys()) this.pages.parsed(path);
    this.assets = [...source.assets.keys()].filter(path => this.isTemplate(path));
  }

  draw(commission: Commission): Drawn {
    const { assets } = commission;
    const hashes = new Map(assets.hashes);
    for (const path of this.source.assets.keys()) hashes.set(assetName(path), laterHash);
    const addressOf = (root: string) => (name: string) =>
      `${root}${assets.path}${hashes.get(name) ?? 'none'}/${addressPart(name)}`;
    const { locale, zone } = commission;
    this.circumstances = {
      texts: this.source.locales,
      locale,
      zone,
      now: new Date(commission.now),
      addressOf: addressOf(''),
    };

    const texts = revive(commission.variables, html => html);
    const rough = this.assets.map(path => [assetName(path), this.print(this.engineFor(path), path, texts)] as const);
    const assetHash = hashOf(JSON.stringify(rough));
    const drawn = new Map(rough.map(([name, text]) => [name, text.replaceAll(laterHash, assetHash)]));
    for (const path of this.source.assets.keys()) hashes.set(assetName(path), assetHash);

    const variables = revive(commission.variables, html => new Markup(html));
    const templates = new Map<TemplateName, string>();
    for (const name of templateNames.filter(each => this.source.templates.has(each))) {
      this.circumstances.addressOf = addressOf(name === 'status-page' ? '' : assets.origin);
      templates.set(name, this.drawTemplate(name, variables));
    }
    const length = [...templates.values(), ...drawn.values()].reduce((sum, text) => sum + text.length, 0);
    if (length > longestDrawing) throw new ThemeFailure(`The theme draws more than ${longestDrawing / 1_000_000} MB`);
    return { templates, assets: drawn, assetHash };
  }

  /** The layout is drawn after what it wraps, and sees what that assigned. */
  private drawTemplate(name: TemplateName, variables: object): string {
    const scope = { ...variables, template: { name } };
    const context = this.contextOf(this.pages, scope);
    const content = this.print(this.pages, name, scope, context);
    if (!this.source.templates.has(layout)) return content;
    context.push({ content_for_layout: new Markup(content) });
    return this.print(this.pages, layout, scope, context);
  }

  private contextOf({ liquid }: Engine, variables: object): Context {
    // As globals what is rendered apart sees them too. Nothing is looked for on the prototype of either.
    const globals = Object.assign(Object.create(null), variables);
    return new Context(Object.create(null), liquid.options, { sync: true, globals }, { liquid });
  }

  private print(engine: Engine, path: string, variables: object, context = this.contextOf(engine, variables)): string {
    try {
      return engine.liquid.renderSync(engine.parsed(path), context) as string;
    } catch (error) {
      throw failureOf(error, fileOf(path));
    }
  }

  private engineFor(asset: string): Engine {
    return isPicture(asset) ? this.pictures : this.sheets;
  }

  private isTemplate(asset: string): boolean {
    try {
      this.engineFor(asset).parsed(asset);
      return true;
    } catch (error) {
      if (isPicture(asset)) return false;
      throw error;
    }
  }

  private engine(clean: Cleaning): Engine {
    const textAt = (path: string) => this.source.assets.get(path) ?? this.source.templates.get(path);
    const known = new Map<string, Template[]>();
    const parsed = (path: string): Template[] => {
      let templates = known.get(path);
      if (!templates) {
        try {
          templates = liquid.parse(textAt(path) ?? '', fileOf(path));
        } catch (error) {
          throw failureOf(error, fileOf(path));
        }
        known.set(path, templates);
      }
      return templates;
    };
    const find = (name: string, askedIn: string): Template[] => {
      const path = partialPath(name, askedIn);
      if (!path.startsWith('includes/') || textAt(path) === undefined) throw new Error(`there is no "${fileOf(path)}"`);
      return parsed(path);
    };
    const liquid = createEngine(clean, find, () => this.circumstances);
    return { liquid, parsed };
  }
}

interface Engine {
  liquid: Liquid;
  /** Parsed once. */
  parsed(path: string): Template[];
}

const fileOf = (path: string) => (path.startsWith('assets/') ? path : `${path}.liquid`);
const assetName = (path: string) => path.slice('assets/'.length);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Whatever stands before the name, no path leads out of the theme: what is not in its list of files is not there. */
function partialPath(name: string, askedIn: string): string {
  const bare = name.replace(/\.liquid$/, '');
  return /^\.\.?\//.test(bare) ? posix.join(posix.dirname(askedIn), bare) : `includes/${bare}`;
}

/** As it stands in an address, in HTML and in a style sheet alike. */
const addressPart = (name: string) =>
  encodeURIComponent(name).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
