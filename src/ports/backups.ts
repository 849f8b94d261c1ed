import type {Instant} from '../domain/time/instant.ts';

/** Everything the service keeps, as one stream of bytes. */
export interface Backup {
  /** The last commit that is in it. */
  readonly commit: Instant;
  /** How many bytes will come, about. */
  readonly bytesAbout: number;
  /** To be read to its end or given up; either way what it needed on the disk goes. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Copies of the whole service, made while it works.
 *
 * A backup is the state of one commit: nothing of a later one is in it and nothing of an earlier one is missing, nor any
 * stored object that it speaks of. Each part carries its checksum, so that what was damaged on its way is never restored.
 */
export interface Backups {
  open(): Promise<Backup>;
}
