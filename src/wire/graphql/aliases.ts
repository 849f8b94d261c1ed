/**
 * Names of root fields that clients of the reference system use, and what they are here. The one list of them: a field
 * is offered under both names.
 */
export const QUERY_ALIASES: Readonly<Record<string, string>> = {
  InfrahubInfo: 'ServiceInfo',
  InfrahubStatus: 'ServiceStatus',
  InfrahubBranch: 'ServiceBranch',
  InfrahubAccountToken: 'ServiceAccountToken',
  InfrahubPermissions: 'ServicePermissions',
  InfrahubTask: 'ServiceTask',
  InfrahubTaskBranchStatus: 'ServiceTaskBranchStatus',
  InfrahubEvent: 'ServiceEvent',
  InfrahubSearchAnywhere: 'ServiceSearchAnywhere',
};

export const MUTATION_ALIASES: Readonly<Record<string, string>> = {
  InfrahubAccountTokenDelete: 'ServiceAccountTokenDelete',
  InfrahubAccountSelfUpdate: 'ServiceAccountSelfUpdate',
  InfrahubRepositoryProcess: 'ServiceRepositoryProcess',
  InfrahubReadOnlyRepositoryImportLastCommit: 'ServiceReadOnlyRepositoryImportLastCommit',
  InfrahubRepositoryConnectivity: 'ServiceRepositoryConnectivity',
};

/** The fields, and again under their other names where the named field is there. */
export function withAliases<Field>(
  fields: Readonly<Record<string, Field>>,
  aliases: Readonly<Record<string, string>>,
): Record<string, Field> {
  const all: Record<string, Field> = {...fields};
  for (const [alias, name] of Object.entries(aliases)) {
    const field = fields[name];
    if (field !== undefined && all[alias] === undefined) all[alias] = field;
  }
  return all;
}
