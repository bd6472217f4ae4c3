import type { ColourName } from './colour.js';
import { Page } from '../page.entity.js';
import type { Writer } from '../../records/writer.js';
import type { PreviewAppearanceInput } from './appearance.inputs.js';
import { Brand, colourNames } from './brand.entity.js';
import { applyColours } from './brand.service.js';
import type { Situation } from './situation.js';
import { readThemeArchive, type ThemeFiles } from './theme-archive.js';
import { ArchiveError } from './zip-archive.js';
import type { TryInTurn } from './theme-tries.js';
import { Theme } from './theme.entity.js';

interface Appearance {
  colours: Record<ColourName, string>;
  /** Null: the standard theme. */
  theme: ThemeFiles | null;
}

/** The page as a document, or why its theme fails. */
type AppearancePreview = { html: string } | { failure: string };

/** Renders a page as it would look. The composition passes it in, since a service may not import it. */
export type RenderAppearance = (
  pageId: string,
  situation: Situation,
  appearance: Appearance,
) => Promise<AppearancePreview>;

interface AppearanceRenderer {
  renderAppearance: RenderAppearance;
  tryInTurn: TryInTurn;
}

/** Writes nothing. */
export const previewAppearance = (
  write: Writer,
  { renderAppearance, tryInTurn }: AppearanceRenderer,
  pageId: string,
  input: PreviewAppearanceInput,
): Promise<AppearancePreview> => tryInTurn(pageId, () => renderPreview(write, renderAppearance, pageId, input));

async function renderPreview(
  write: Writer,
  render: RenderAppearance,
  pageId: string,
  { situation, brand: input, theme: given }: PreviewAppearanceInput,
): Promise<AppearancePreview> {
  const { colours, archive } = await write.readOnly(async unit => {
    const brand = await unit.find<Brand>([[Page, pageId], [Brand]]);
    applyColours(brand, input ?? {}, unit.validation);
    unit.validation.throwIfInvalid();
    const theme = given === undefined ? await unit.em.findOne(Theme, { page: pageId }) : null;
    return {
      colours: Object.fromEntries(colourNames.map(name => [name, brand[name]])) as Record<ColourName, string>,
      archive: given ?? theme?.archive ?? null,
    };
  });
  try {
    const theme = archive && (await readThemeArchive(Buffer.from(archive)));
    return await render(pageId, situation, { colours, theme });
  } catch (error) {
    if (error instanceof ArchiveError) return { failure: error.message };
    throw error;
  }
}
