import {isLoopbackHost} from './loopback.ts';
import type {Settings} from './read.ts';
import {SettingsRefused} from './read.ts';
import {DEFAULT_ADMIN_PASSWORD, SETTINGS} from './table.ts';

/** A first start where strangers can connect must not create an admin whose password is in the docs. */
export function refuseDefaultPassword(
  settings: Pick<Settings, 'host' | 'initialAdminPassword'>,
  databaseIsEmpty: boolean,
): void {
  if (!databaseIsEmpty || isLoopbackHost(settings.host)) return;
  if (settings.initialAdminPassword !== DEFAULT_ADMIN_PASSWORD) return;
  const {variable} = SETTINGS.initialAdminPassword;
  throw new SettingsRefused([
    `${variable} is the default, and ${SETTINGS.host.variable} "${settings.host}" can be reached by others; ` +
      `set ${variable} to a password of your own for the first start`,
  ]);
}
