import type {Backup, Backups} from '../../ports/backups.ts';
import {authorize, type Caller} from '../caller.ts';

/** A copy of everything, secrets included: for administrators alone. */
export async function takeBackup(deps: {readonly backups: Backups}, caller: Caller): Promise<Backup> {
  authorize(caller, {is: 'global', action: 'super_admin'});
  return deps.backups.open();
}
