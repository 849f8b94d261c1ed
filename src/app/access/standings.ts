import type {Awaitable} from '../../base/awaitable.ts';
import {BoundedMap} from '../../base/bounded-map.ts';
import type {Access} from '../../domain/access/access.ts';
import {compileAccess} from '../../domain/access/compile-access.ts';
import {globalIdentifier, objectIdentifier} from '../../domain/access/grants.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {AtHead} from './at-head.ts';
import {type Permissions, permissionsOf, rolesOf} from './permissions-of.ts';

/** What somebody may do, and why. */
export interface Rights {
  readonly permissions: Permissions;
  readonly access: Access;
}

/** An account as the service stands to it now. */
export interface Standing extends Rights {
  readonly account: NodeId;
  readonly isActive: boolean;
}

const COMPILED_MAX = 1000;

/** Whether and what accounts may do. Accounts with the same permissions share what was compiled from them. */
export class Standings {
  readonly #head: AtHead;
  readonly #compiled = new BoundedMap<string, Access>(COMPILED_MAX);

  constructor(head: AtHead) {
    this.#head = head;
  }

  /** Undefined when there is no such account (any more). */
  of(account: NodeId): Awaitable<Standing | undefined> {
    return this.#head.remember(`standing ${account}`, async head => {
      const record = await head.node(account);
      if (record === undefined || !isAccount(head, record.kind)) return undefined;
      const rights = await this.#rights(head, await rolesOf(head, account));
      return {...rights, account, isActive: isActive(record.value('status'))};
    });
  }

  /** What everybody may do who has just this role; nothing when there is no such role. */
  ofRole(name: string): Awaitable<Rights> {
    return this.#head.remember(`role ${name}`, async head => {
      const {found} = await head.query({
        kind: 'CoreAccountRole',
        where: {is: 'attribute', attribute: 'name', property: 'value', test: {op: 'in', values: [name]}},
        page: {limit: 1, offset: 0},
      });
      return this.#rights(
        head,
        found.map(({node}) => node.id),
      );
    });
  }

  async #rights(head: Snapshot, roles: readonly NodeId[]): Promise<Rights> {
    const permissions = await permissionsOf(head, roles);
    const {global, object} = permissions;
    const key = [...global.map(globalIdentifier), ...object.map(objectIdentifier)].sort().join();
    const access = this.#compiled.get(key) ?? compileAccess(permissions);
    this.#compiled.set(key, access);
    return {permissions, access};
  }
}

const isAccount = (head: Snapshot, kind: string): boolean =>
  head.kind(kind)?.generics.includes('CoreGenericAccount') === true;

const isActive = (status: unknown): boolean =>
  typeof status === 'string' && status.toLowerCase() === 'active';
