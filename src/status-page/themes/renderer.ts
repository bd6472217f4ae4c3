import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { Context, type Liquid, type Template } from 'liquidjs';
import type { TemplateName } from '../routing/public-route.js';
import { isSvg } from './assets.js';
import { type RenderJob, type RenderResult, templateNames, ThemeFailure, type ThemeSource } from './render-job.js';
import { createEngine, toThemeFailure } from './engine.js';
import type { FilterContext } from './filters.js';
import { escapeMarkup } from '../../core/escape-html.js';
import { type Escape, escapeSvg, HtmlValue, stripCssSyntax } from './safe-values.js';
import { deserialize } from './deserialize.js';
import { normalizeSource } from './source.js';

const layoutPath = 'layouts/boilerplate';
/** Stands for the common hash of the rendered assets, which is known only after they are rendered. */
const assetHashPlaceholder = 'h-of-all-assets-';
/** Characters of all output together. */
const maxOutputLength = 4_000_000;

/** Renders one theme, any number of times. Renderings share nothing but the parsed templates. */
export class ThemeRenderer {
  private readonly pages = this.createEngine(escapeMarkup);
  private readonly stylesheets = this.createEngine(stripCssSyntax);
  private readonly svgs = this.createEngine(escapeSvg);
  /** The assets to render. An SVG file that does not parse contains `{{` by chance, and is served unchanged. */
  private readonly assets: readonly string[];
  private filterContext!: FilterContext;

  /** Throws ThemeFailure if a template does not parse, whether it is used or not. */
  constructor(private readonly source: ThemeSource) {
    for (const path of source.templates.keys()) this.pages.parse(path);
    this.assets = [...source.assets.keys()].filter(path => this.isParseable(path));
  }

  render(job: RenderJob): RenderResult {
    const { assets, locale, zone } = job;
    const hashes = new Map(assets.hashes);
    for (const path of this.source.assets.keys()) hashes.set(toAssetName(path), assetHashPlaceholder);
    // With a query, since the style sheets of existing themes append `&v=4.7.0` or `?#iefix`.
    const assetUrlFrom = (root: string) => (name: string) =>
      `${root}${assets.path}${hashes.get(name) ?? 'none'}/${encodeForUrl(name)}?v=1`;
    this.filterContext = {
      texts: this.source.locales,
      locale,
      zone,
      now: new Date(job.now),
      assetUrl: assetUrlFrom(''),
    };

    const textVariables = deserialize(job.variables, html => html);
    const withPlaceholder = this.assets.map(
      path => [toAssetName(path), this.renderFile(this.engineFor(path), path, textVariables)] as const,
    );
    const assetHash = hashText(JSON.stringify(withPlaceholder));
    const renderedAssets = new Map(
      withPlaceholder.map(([name, text]) => [name, text.replaceAll(assetHashPlaceholder, assetHash)]),
    );
    for (const path of this.source.assets.keys()) hashes.set(toAssetName(path), assetHash);

    const variables = deserialize(job.variables, html => new HtmlValue(html));
    const templates = new Map<TemplateName, string>();
    for (const name of templateNames.filter(each => this.source.templates.has(each))) {
      this.filterContext.assetUrl = assetUrlFrom(name === 'status-page' ? '' : assets.origin);
      templates.set(name, this.renderTemplate(name, variables));
    }
    const length = [...templates.values(), ...renderedAssets.values()].reduce((sum, text) => sum + text.length, 0);
    if (length > maxOutputLength)
      throw new ThemeFailure(`The output of the theme is larger than ${maxOutputLength / 1_000_000} MB.`);
    return { templates, assets: renderedAssets, assetHash };
  }

  /** The layout is rendered after the template that it wraps, and sees the variables which that assigned. */
  private renderTemplate(name: TemplateName, variables: object): string {
    const scope = { ...variables, template: { name } };
    const context = this.createContext(this.pages, scope);
    const content = this.renderFile(this.pages, name, scope, context);
    if (!this.source.templates.has(layoutPath)) return content;
    context.push({ content_for_layout: new HtmlValue(content) });
    return this.renderFile(this.pages, layoutPath, scope, context);
  }

  private createContext({ liquid }: Engine, variables: object): Context {
    // As globals, so that `render` sees them too. Without prototypes, so that no name leads to one.
    const globals = Object.assign(Object.create(null), variables);
    return new Context(Object.create(null), liquid.options, { sync: true, globals }, { liquid });
  }

  private renderFile(
    engine: Engine,
    path: string,
    variables: object,
    context = this.createContext(engine, variables),
  ): string {
    try {
      return engine.liquid.renderSync(engine.parse(path), context) as string;
    } catch (error) {
      throw toThemeFailure(error, toFileName(path));
    }
  }

  private engineFor(asset: string): Engine {
    return isSvg(asset) ? this.svgs : this.stylesheets;
  }

  private isParseable(asset: string): boolean {
    try {
      this.engineFor(asset).parse(asset);
      return true;
    } catch (error) {
      if (isSvg(asset)) return false;
      throw error;
    }
  }

  private createEngine(escapeValue: Escape): Engine {
    const textAt = (path: string) => this.source.assets.get(path) ?? this.source.templates.get(path);
    const parsedTemplates = new Map<string, Template[]>();
    const parse = (path: string): Template[] => {
      let templates = parsedTemplates.get(path);
      if (!templates) {
        templates = parseTemplate(liquid, textAt(path) ?? '', toFileName(path));
        parsedTemplates.set(path, templates);
      }
      return templates;
    };
    const find = (name: string, includedFrom: string): Template[] => {
      const path = resolvePartial(name, includedFrom);
      if (!path.startsWith('includes/') || textAt(path) === undefined)
        throw new Error(`there is no "${toFileName(path)}"`);
      return parse(path);
    };
    const liquid = createEngine(escapeValue, find, () => this.filterContext);
    return { liquid, parse };
  }
}

/** What does not parse is read as Ruby's Liquid reads it by default, before it is refused. */
function parseTemplate(liquid: Liquid, source: string, file: string): Template[] {
  try {
    return liquid.parse(normalizeSource(source), file);
  } catch {
    try {
      return liquid.parse(normalizeSource(source, true), file);
    } catch (error) {
      throw toThemeFailure(error, file);
    }
  }
}

interface Engine {
  liquid: Liquid;
  /** Parses each file once. */
  parse(path: string): Template[];
}

const toFileName = (path: string) => (path.startsWith('assets/') ? path : `${path}.liquid`);
const toAssetName = (path: string) => path.slice('assets/'.length);
const hashText = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** No path leads out of the theme, whatever it contains: it is looked up among the theme's files only. */
function resolvePartial(name: string, includedFrom: string): string {
  const bare = name.replace(/\.liquid$/, '');
  return /^\.\.?\//.test(bare) ? posix.join(posix.dirname(includedFrom), bare) : `includes/${bare}`;
}

/** Encodes a file name for use in HTML and in style sheets: quotes and brackets too. */
const encodeForUrl = (name: string) =>
  encodeURIComponent(name).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
