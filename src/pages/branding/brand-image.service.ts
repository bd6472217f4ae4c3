import type { Rasterize } from '../../content/raster/rasterizer.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { type FieldProblems, problems } from '../../core/problems.js';
import { Page } from '../page.entity.js';
import { Brand } from './brand.entity.js';
import { BrandImage } from './brand-image.entity.js';
import {
  BrandImageError,
  type BrandImageRole,
  brandImageRoles,
  type ReadBrandImage,
  readBrandImage,
} from './brand-image.js';
import type { SetBrandImagesInput } from './brand-image.inputs.js';

/** If one of the images is refused, all stay as they were. */
export async function setBrandImages(
  write: Writer,
  rasterize: Rasterize,
  pageId: string,
  versions: number[] | null | undefined,
  input: SetBrandImagesInput,
): Promise<void> {
  // Outside of the transaction, since it is slow and other writes to the page must not wait. A missing page or a stale
  // version is still refused first.
  const { images, errors } = await readImages(input, job => rasterize(job, pageId));
  await write.transaction(async unit => {
    const brand = await unit.find<Brand>([[Page, pageId], [Brand]], versions);
    unit.validation.addErrors(errors);
    unit.validation.throwIfInvalid();
    for (const [role, image] of images) await setImage(unit, brand, role, image);
    await unit.save();
  });
}

/** Null removes an image. */
async function readImages(input: SetBrandImagesInput, rasterize: Rasterize) {
  const images = new Map<BrandImageRole, ReadBrandImage | null>();
  const errors: FieldProblems = {};
  for (const role of brandImageRoles) {
    const bytes = input[role];
    if (bytes === undefined) continue;
    try {
      images.set(role, bytes && (await readBrandImage(bytes, rasterize)));
    } catch (error) {
      if (!(error instanceof BrandImageError)) throw error;
      errors[role] = [problems.unusable(error.message)];
    }
  }
  return { images, errors };
}

async function setImage(unit: Unit, brand: Brand, role: BrandImageRole, image: ReadBrandImage | null): Promise<void> {
  const stored = await unit.em.findOne(BrandImage, { page: brand.page.id, role });
  if (stored?.hash === image?.hash) return;
  unit.touch(brand);
  if (!image) unit.em.remove(stored!);
  else if (stored) Object.assign(stored, image);
  else unit.em.persist(unit.em.create(BrandImage, { page: brand.page, role, ...image }));
}
