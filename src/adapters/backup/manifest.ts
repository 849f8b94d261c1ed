import {type Static, Type} from 'typebox';
import {Compile} from 'typebox/compile';
import {ArchiveDamaged} from './tar.ts';

export const MANIFEST = 'manifest.json';
export const MANIFEST_FORMAT = 1;

/** What a backup says of itself; the last entry, so that an archive without it is known to be cut short. */
export const Manifest = Type.Object({
  format: Type.Integer(),
  service_version: Type.String(),
  deployment_id: Type.String(),
  made_at: Type.String(),
  /** The last commit in it, in microseconds since 1970. */
  commit: Type.Integer(),
  files: Type.Array(Type.Object({path: Type.String(), bytes: Type.Integer(), sha256: Type.String()})),
});
export type Manifest = Static<typeof Manifest>;

const validator = Compile(Manifest);

export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArchiveDamaged('its manifest is damaged', {cause: error});
  }
  if (!validator.Check(value)) throw new ArchiveDamaged('its manifest is damaged');
  if (value.format > MANIFEST_FORMAT) {
    throw new ArchiveDamaged(
      `it was made by a newer version of this service (format ${value.format}, this version knows ${MANIFEST_FORMAT})`,
    );
  }
  return value;
}
