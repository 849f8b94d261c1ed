import {describe} from 'vitest';
import {branchLivesContract} from './graph-store-contract/branch-lives.ts';
import {branchesContract} from './graph-store-contract/branches.ts';
import {commitsContract} from './graph-store-contract/commits.ts';
import {conditionsContract} from './graph-store-contract/conditions.ts';
import {diffsContract} from './graph-store-contract/diffs.ts';
import {durabilityContract} from './graph-store-contract/durability.ts';
import {edgesContract} from './graph-store-contract/edges.ts';
import {hierarchiesContract} from './graph-store-contract/hierarchies.ts';
import {lateAttributesContract} from './graph-store-contract/late-attributes.ts';
import {levelsContract} from './graph-store-contract/levels.ts';
import {listsContract} from './graph-store-contract/lists.ts';
import {newIndexesContract} from './graph-store-contract/new-indexes.ts';
import {objectsContract} from './graph-store-contract/objects.ts';
import {relatedConditionsContract} from './graph-store-contract/related-conditions.ts';
import {schemaContract} from './graph-store-contract/schema.ts';
import {scopesContract} from './graph-store-contract/scopes.ts';
import {timeContract} from './graph-store-contract/time.ts';
import {uniqueContract} from './graph-store-contract/unique.ts';
import {type StoreHarness, scenarioOn} from './graph-store-contract/world.ts';

/** What every backend of the graph store does, whatever it is made of. */
export function graphStoreContract(name: string, harness: StoreHarness): void {
  const scenario = scenarioOn(harness);
  describe(`${name}: graph-store contract`, () => {
    objectsContract(scenario);
    edgesContract(scenario);
    timeContract(scenario);
    branchesContract(scenario);
    branchLivesContract(scenario);
    scopesContract(scenario);
    uniqueContract(scenario);
    commitsContract(scenario);
    diffsContract(scenario);
    conditionsContract(scenario);
    relatedConditionsContract(scenario);
    listsContract(scenario);
    levelsContract(scenario);
    hierarchiesContract(scenario);
    schemaContract(scenario);
    lateAttributesContract(scenario);
    newIndexesContract(scenario);
    durabilityContract(scenario);
  });
}
