import type {StoredObject} from '../../domain/storage/stored-object.ts';
import type {Bytes, ObjectStore} from '../../ports/object-store.ts';

export interface Storage {
  readonly objects: ObjectStore;
  readonly fileBytesMax: number;
}

/** Keeps bytes that somebody sent; undefined when they are too many. Whoever is known may do it. */
export async function uploadObject(
  {objects, fileBytesMax}: Storage,
  content: Bytes,
): Promise<StoredObject | undefined> {
  const outcome = await objects.put(content, {bytesMax: fileBytesMax});
  return outcome.is === 'stored' ? outcome.object : undefined;
}
