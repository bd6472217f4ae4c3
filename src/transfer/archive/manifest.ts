import { z } from 'zod';
import { refuseArchive } from './archive-error.js';

/** Of the format of archives: an archive of another version is refused. */
const version = 1;

export const manifestName = 'manifest.json';

export const toFileName = (kind: string): string => `${kind}.ndjson`;

const fileSchema = z.strictObject({
  rows: z.int().min(0),
  /** Of the unpacked file, hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type FileDigest = z.infer<typeof fileSchema>;

export const manifestSchema = z.strictObject({
  format: z.literal('all-clear archive'),
  version: z.literal(version),
  /** The only thing that differs between two archives of the same records. */
  createdAt: z.iso.datetime(),
  /** Of the key that encrypts the secrets, base64url. */
  salt: z.string().optional(),
  /** By name. */
  files: z.record(z.string(), fileSchema),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const createManifest = (files: Record<string, FileDigest>, salt?: string): Manifest => ({
  format: 'all-clear archive',
  version,
  createdAt: new Date().toISOString(),
  salt,
  files,
});

export const renderManifest = (files: Record<string, FileDigest>, salt: string | undefined): string =>
  `${JSON.stringify(createManifest(files, salt), null, 2)}\n`;

export function parseManifest(text: string): Manifest {
  const json = parseJson(text) as Partial<Manifest> | null;
  if (json?.format !== 'all-clear archive')
    throw refuseArchive(`${manifestName} is not that of an archive of All Clear`);
  if (json.version !== version)
    throw refuseArchive(`it has version ${json.version} of the format, and this version of All Clear reads ${version}`);
  const { success, data, error } = manifestSchema.safeParse(json);
  if (!success) throw refuseArchive(`${manifestName} is not valid at ${error.issues[0]!.path.join('.')}`);
  return data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuseArchive(`${manifestName} is not JSON`);
  }
}
