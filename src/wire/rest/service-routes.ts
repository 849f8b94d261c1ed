import {Type} from 'typebox';
import {menuOf} from '../../app/menu/menu-of.ts';
import type {Services} from '../../app/services.ts';
import {identifierOf, type MenuItem} from '../../domain/menu/menu.ts';
import {restReadPointOf} from '../read-point.ts';
import {type AnyRoute, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

export interface ServiceFacts {
  readonly version: string;
  readonly publicUrl: string | undefined;
  readonly allowAnonymousAccess: boolean;
  readonly anonymousRole: string;
  readonly providers: readonly SignOnFacts[];
}

export interface SignOnFacts {
  readonly name: string;
  readonly protocol: 'oauth2' | 'oidc';
  readonly displayLabel: string | undefined;
  readonly icon: string | undefined;
}

type Deps = Pick<Services, 'store' | 'schemas'>;

const CONFIG = Type.Object(
  {
    main: Type.Record(Type.String(), Type.Unknown()),
    logging: Type.Record(Type.String(), Type.Unknown()),
    analytics: Type.Record(Type.String(), Type.Unknown()),
    experimental_features: Type.Record(Type.String(), Type.Boolean()),
    installation_type: Type.String(),
    policy: Type.Record(Type.String(), Type.Unknown()),
    sso: Type.Object({
      enabled: Type.Boolean(),
      providers: Type.Array(
        Type.Object({
          name: Type.String(),
          display_label: Type.String(),
          icon: Type.String(),
          protocol: Type.Enum(['oauth2', 'oidc']),
          authorize_path: Type.String(),
          token_path: Type.String(),
        }),
      ),
    }),
  },
  {description: 'Never a secret, and nothing of databases or tokens.'},
);

const INFO = Type.Object(
  {
    deployment_id: Type.String({description: 'Stays with the database for its whole life.'}),
    version: Type.String(),
  },
  {examples: [{deployment_id: '5b3f8a8e-6f0e-4a4e-9f0a-0d2f6a1f6f11', version: '1.0.0'}]},
);

const MENU = Type.Object(
  {sections: Type.Object({object: Type.Array(Type.Unknown()), internal: Type.Array(Type.Unknown())})},
  {
    examples: [
      {
        sections: {
          object: [],
          internal: [
            {
              id: null,
              namespace: 'Builtin',
              name: 'Branches',
              identifier: 'BuiltinBranches',
              description: null,
              protected: true,
              label: 'Branches',
              path: '/branches',
              icon: 'mdi:source-branch',
              kind: '',
              order_weight: 1500,
              section: 'internal',
              permissions: [],
              children: [],
            },
          ],
        },
      },
    ],
  },
);

/** What the service says of itself: its configuration, its identity, its menu. */
export function serviceRoutes(deps: Deps, facts: ServiceFacts, callerOf: CallerOf): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/api/config',
      summary: 'What a client needs to know of the configuration',
      isOpen: true,
      answer: CONFIG,
      handle: () => configOf(facts),
    }),
    route({
      method: 'GET',
      path: '/api/info',
      summary: 'The identity and the version of this deployment',
      answer: INFO,
      async handle({http}) {
        await callerOf({http});
        return {deployment_id: deps.store.deploymentId, version: facts.version};
      },
    }),
    route({
      method: 'GET',
      path: '/api/menu',
      summary: 'The menu of a branch, as far as the caller may see it',
      answer: MENU,
      async handle({query, http}) {
        const caller = await callerOf({http});
        const menu = await menuOf(deps, caller, await restReadPointOf(deps.store, query));
        return {sections: {object: menu.object.map(menuJson), internal: menu.internal.map(menuJson)}};
      },
    }),
  ];
}

function configOf({publicUrl, allowAnonymousAccess, anonymousRole, providers}: ServiceFacts): object {
  return {
    main: {
      docs_index_path: null,
      internal_address: null,
      allow_anonymous_access: allowAnonymousAccess,
      anonymous_access_role: anonymousRole,
      telemetry_optout: true,
      telemetry_endpoint: null,
      permission_backends: [],
      public_url: publicUrl ?? null,
      schema_strict_mode: true,
      diff_update_after_merge: true,
      delete_branch_after_merge: false,
    },
    logging: {remote: {enable: false, frontend_dsn: null, api_server_dsn: null, git_agent_dsn: null}},
    analytics: {enable: false, address: null, api_key: null},
    experimental_features: {graphql_enums: false, value_db_index: false},
    installation_type: 'community',
    policy: {required_proposed_change_approvals: 0, revoke_proposed_change_approvals: false},
    sso: {
      enabled: providers.length > 0,
      providers: providers.map(({name, protocol, displayLabel, icon}) => ({
        name,
        display_label: displayLabel ?? 'Single Sign on',
        icon: icon ?? 'mdi:account-key',
        protocol,
        authorize_path: `/api/${protocol}/${name}/authorize`,
        token_path: `/api/${protocol}/${name}/token`,
      })),
    },
  };
}

function menuJson(item: MenuItem): object {
  return {
    id: null,
    namespace: item.namespace,
    name: item.name,
    identifier: identifierOf(item),
    description: item.description ?? null,
    protected: item.isProtected ?? false,
    label: item.label,
    path: item.path ?? '',
    icon: item.icon ?? '',
    kind: item.kind ?? '',
    order_weight: item.orderWeight,
    section: item.section,
    permissions: item.permissions ?? [],
    children: item.children.map(menuJson),
  };
}
