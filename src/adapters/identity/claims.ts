import {type ExternalIdentity, ProviderFailed} from '../../ports/identity-provider.ts';

type Claims = Readonly<Record<string, unknown>>;

const SUBJECT_CHARACTERS_MAX = 255;
const GROUPS_MAX = 1000;

/** Who somebody is, from what a provider says of them. */
export function identityOf(claims: Claims): ExternalIdentity {
  const names = ['name', 'email', 'preferred_username', 'login'].map(key => textOf(claims[key]));
  const groups = Array.isArray(claims.groups) ? claims.groups.slice(0, GROUPS_MAX) : [];
  return {
    subject: subjectOf(claims),
    names: names.filter(name => name !== undefined),
    groups: groups.map(textOf).filter(group => group !== undefined),
  };
}

/** Providers of plain OAuth 2.0 often know no subject but have a number for everybody. */
function subjectOf({sub, id}: Claims): string {
  const subject = textOf(sub) ?? (Number.isSafeInteger(id) ? String(id) : textOf(id));
  if (subject !== undefined && subject.length <= SUBJECT_CHARACTERS_MAX) return subject;
  throw new ProviderFailed('The identity provider does not tell who it is');
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
