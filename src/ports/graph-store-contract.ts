import {describe} from 'vitest';
import {objectsContract} from './graph-store-contract/objects.ts';
import {type StoreHarness, scenarioOn} from './graph-store-contract/world.ts';

/** What every backend of the graph store does, whatever it is made of. */
export function graphStoreContract(name: string, harness: StoreHarness): void {
  const scenario = scenarioOn(harness);
  describe(`${name}: graph-store contract`, () => {
    objectsContract(scenario);
  });
}
