import { applyFields, type FieldRule, type Validation } from '../../core/validation.js';
import type { Writer } from '../../records/writer.js';
import { Brand, colourNames } from './brand.entity.js';
import type { UpdateBrandInput } from './brand.inputs.js';
import { defaultColours, isColour } from './colour.js';
import { Page } from '../page.entity.js';

const colour = (value: string): string | null => (isColour(value) ? value : null);
const rules: { [field in keyof Brand]?: FieldRule } = Object.fromEntries(
  colourNames.map(name => [
    name,
    {
      maxLength: 255,
      normalize: colour,
      form: 'a colour such as #27ae60 or rgba(0,0,0,0.5)',
      fallback: defaultColours[name],
    },
  ]),
);

export function applyColours(brand: Brand, input: UpdateBrandInput, validation: Validation): void {
  applyFields(brand, input, rules, validation, false);
}

export function updateBrand(
  write: Writer,
  pageId: string,
  versions: number[] | null | undefined,
  input: UpdateBrandInput,
): Promise<void> {
  return write.transaction(async unit => {
    const brand = await unit.find<Brand>([[Page, pageId], [Brand]], versions);
    applyColours(brand, input, unit.validation);
    unit.validation.throwIfInvalid();
    await unit.save();
  });
}

/** Resets all colours to their defaults. A brand cannot be deleted: it exists as long as its page. */
export function resetBrand(write: Writer, pageId: string, versions?: number[] | null): Promise<void> {
  return write.transaction(async unit => {
    const brand = await unit.find<Brand>([[Page, pageId], [Brand]], versions);
    Object.assign(brand, defaultColours);
    await unit.save();
  });
}
