import {join} from 'node:path';
import {openLocalObjectStore} from '../adapters/files/local-object-store.ts';
import type {Ids} from '../ports/ids.ts';
import type {ObjectStore} from '../ports/object-store.ts';
import {EXIT, StartRefused} from './exit-codes.ts';
import type {Settings} from './settings/read.ts';
import {SETTINGS} from './settings/table.ts';

/** Where objects are kept, as the settings say. */
export async function openObjects(folder: string, settings: Settings, ids: Ids): Promise<ObjectStore> {
  if (settings.storageDriver === 'local') {
    const path = settings.storageFolder ?? join(folder, 'storage');
    try {
      return await openLocalObjectStore(path, ids);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      const message = `The folder for stored objects ${path} cannot be used (${code}); choose another ${SETTINGS.storageFolder.variable}.`;
      throw new StartRefused(EXIT.dataFolder, message, {cause: error});
    }
  }
  const {storageBucket: bucket, storageEndpoint, storageUsesTls, storageAcl: acl} = settings;
  if (bucket === undefined) {
    const {variable} = SETTINGS.storageBucket;
    throw new StartRefused(EXIT.settings, `${variable} names no bucket; S3 storage needs one.`);
  }
  // The library of S3 takes as long to load as the rest of the service: only those who use it pay for it.
  const {S3ObjectStore} = await import('../adapters/s3/s3-object-store.ts');
  const scheme = storageUsesTls ? 'https' : 'http';
  const endpoint = storageEndpoint?.includes('://') ? storageEndpoint : `${scheme}://${storageEndpoint}`;
  return new S3ObjectStore(
    {
      bucket,
      region: settings.storageRegion,
      ...(storageEndpoint === undefined ? {} : {endpoint}),
      ...(acl === undefined ? {} : {acl}),
    },
    ids,
  );
}
