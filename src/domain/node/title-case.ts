import {capitalize} from '../attribute/jinja/python-case.ts';

/** `atl1_edge-router` becomes `Atl1 Edge-Router`: how an object is shown that has a name and no label. */
export const labelFromName = (name: string): string =>
  name.replaceAll('_', ' ').replaceAll(/\p{L}+/gu, letters => capitalize(letters));
