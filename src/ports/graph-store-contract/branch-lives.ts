import {describe, expect} from 'vitest';
import {branchName, justBefore, MAIN, SERVICE} from '../graph-store-fixtures.ts';
import {refusal, type Scenario} from './world.ts';

export function branchLivesContract(scenario: Scenario): void {
  describe('the lives of branches', () => {
    scenario('the default branch is there from the start', async world => {
      const main = await world.store.branch(MAIN);
      expect(main).toMatchObject({name: MAIN, isDefault: true, origin: undefined});
      expect(world.store.defaultBranch).toBe(MAIN);
      expect((await world.store.branches()).map(branch => branch.name)).toEqual([MAIN]);
    });

    scenario('a new branch tells where and when it left its origin', async world => {
      const request = {
        name: branchName('ops/vlan-10'),
        origin: MAIN,
        description: 'VLAN 10',
        syncWithGit: true,
      };
      const branch = await world.store.createBranch(request, SERVICE);
      expect(branch).toMatchObject({
        name: 'ops/vlan-10',
        origin: MAIN,
        description: 'VLAN 10',
        syncWithGit: true,
        isDefault: false,
        hasSchemaChanges: false,
      });
      expect(branch.forkedAt).toBeLessThanOrEqual(branch.createdAt);
      expect(branch.createdAt).toBeLessThanOrEqual(world.store.now());
      expect(await world.store.branch(branch.name)).toEqual(branch);
      expect((await world.store.branches()).map(item => item.name).sort()).toEqual([MAIN, 'ops/vlan-10']);
      expect(new Set((await world.store.branches()).map(item => item.id)).size).toBe(2);
    });

    scenario('an unknown branch is refused, whatever one wants of it', async world => {
      const ghost = branchName('ghost');
      const no = refusal('BRANCH_NOT_FOUND');
      await expect(async () => world.store.snapshot({branch: ghost})).rejects.toMatchObject(no);
      await expect(async () => world.store.branch(ghost)).rejects.toMatchObject(no);
      await expect(world.create('TestTag', {}, {on: ghost})).rejects.toMatchObject(no);
      await expect(world.branch('child', ghost)).rejects.toMatchObject(no);
      await expect(world.store.deleteBranch(ghost, SERVICE)).rejects.toMatchObject(no);
      await expect(world.store.diff({branch: ghost})).rejects.toMatchObject(no);
      await expect(world.store.commits({branch: ghost, limit: 1, newestFirst: true})).rejects.toMatchObject(
        no,
      );
    });

    scenario('the name of a branch is taken once', async world => {
      await world.branch('feature');
      for (const name of ['feature', 'main']) {
        await expect(world.branch(name)).rejects.toMatchObject({name: 'ServiceError'});
      }
    });

    scenario('a deleted branch is gone and its origin untouched', async world => {
      const id = await world.create('TestDevice', {name: 'a'});
      const branch = await world.branch('feature');
      await world.set(id, {name: 'b'}, branch);
      const other = await world.create('TestDevice', {name: 'c'}, {on: branch});
      await world.store.deleteBranch(branch, SERVICE);
      expect((await world.store.branches()).map(item => item.name)).toEqual([MAIN]);
      await expect(async () => world.store.snapshot({branch})).rejects.toMatchObject(
        refusal('BRANCH_NOT_FOUND'),
      );
      expect(await world.value(id, 'name')).toBe('a');
      expect(await world.node(other)).toBe(undefined);
    });

    scenario(
      'the name of a deleted branch is free, and the new one knows nothing of the old',
      async world => {
        const id = await world.create('TestDevice', {name: 'a'});
        const old = await world.fork('feature');
        await world.set(id, {name: 'b'}, old.name);
        await world.create('TestDevice', {name: 'c'}, {on: old.name});
        const between = world.store.now();
        await world.store.deleteBranch(old.name, SERVICE);
        const {id: uuid, name: branch} = await world.fork('feature');
        expect(uuid).not.toBe(old.id);
        expect(await world.list({kind: 'TestDevice'}, branch)).toEqual(['a']);
        expect(await world.list({kind: 'TestDevice'}, {branch, at: between})).toEqual(['a']);
        expect(await world.store.diff({branch})).toEqual([]);
        expect(await world.store.commits({branch, limit: 10, newestFirst: true})).toEqual([]);
        await world.set(id, {name: 'b'}, branch);
        expect(await world.value(id, 'name', branch)).toBe('b');
      },
    );

    scenario(
      'a branch made when all of a deleted one is gone has nothing of it, whatever its name',
      async world => {
        const old = await world.fork('feature');
        const id = await world.create('TestDevice', {name: 'a'});
        await world.create('TestDevice', {name: 'b'}, {on: old.name});
        await world.store.deleteBranch(old.name, SERVICE);
        // Space is freed between the turns of others; these give it several.
        for (let turn = 0; turn < 10; turn++) await world.store.verify();
        for (const name of ['feature', 'other']) {
          const {name: branch, createdAt} = await world.fork(name, MAIN, old.createdAt);
          expect(await world.list({kind: 'TestDevice'}, branch)).toEqual([]);
          expect(await world.list({kind: 'TestDevice'}, {branch, at: justBefore(createdAt)})).toEqual(['a']);
          expect(await world.value(id, 'name', {branch, at: justBefore(createdAt)})).toBe('a');
        }
      },
    );

    scenario('a branch that others stand on, and the default branch, cannot be deleted', async world => {
      const middle = await world.branch('middle');
      const child = await world.branch('child', middle);
      await expect(world.store.deleteBranch(middle, SERVICE)).rejects.toMatchObject({name: 'ServiceError'});
      await expect(world.store.deleteBranch(MAIN, SERVICE)).rejects.toMatchObject({name: 'ServiceError'});
      await world.store.deleteBranch(child, SERVICE);
      await world.store.deleteBranch(middle, SERVICE);
      expect((await world.store.branches()).map(item => item.name)).toEqual([MAIN]);
    });

    scenario('a branch made while others write sees each commit whole or not at all', async world => {
      const ids = await Promise.all(['a', 'b'].map(name => world.create('TestDevice', {name, position: 0})));
      const branches = Array.from({length: 10}, (_, index) => `fork-${index}`);
      const [, ...forks] = await Promise.all([
        ...branches.map(async (_, index) => {
          await world.commit(async draft => {
            for (const id of ids) await draft.update(id, {position: {value: index + 1}});
          });
          return undefined;
        }),
        ...branches.map(name => world.branch(name)),
      ]);
      for (const branch of forks) {
        if (branch === undefined) continue;
        const positions = await world.list({kind: 'TestDevice'}, branch, 'position');
        expect(positions[0]).toBe(positions[1]);
      }
    });
  });
}
