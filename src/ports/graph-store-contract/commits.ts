import {describe, expect} from 'vitest';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {CommitsRequest} from '../graph-store.ts';
import {chosen, freshId, MAIN, SERVICE, TAG} from '../graph-store-fixtures.ts';
import type {Scenario} from './world.ts';

export function commitsContract(scenario: Scenario): void {
  describe('commits', () => {
    scenario('a write lands whole, with all its steps at one instant', async world => {
      const [site, device] = [freshId(), freshId()];
      const commit = await world.commit(async draft => {
        await draft.create({id: device, kind: 'TestDevice', attributes: chosen({name: 'a'})});
        await draft.create({id: site, kind: 'TestSite', attributes: chosen({name: 'bern'})});
        await draft.link({node: device, relationship: 'site', peer: site});
        await draft.update(device, chosen({role: 'leaf'}));
      });
      expect(await world.get(device)).toMatchObject({createdAt: commit, updatedAt: commit});
      expect(await world.get(site)).toMatchObject({createdAt: commit});
      expect(await world.value(device, 'role')).toBe('leaf');
      expect((await world.store.commits({branch: MAIN, limit: 1, newestFirst: true}))[0]).toMatchObject({
        instant: commit,
        nodesTouched: 2,
        edgesTouched: 1,
      });
    });

    scenario('a body that throws changes nothing, and its reason comes through', async world => {
      const [tag, device] = [
        await world.create('TestTag', {name: 'red'}),
        await world.create('TestDevice', {name: 'a'}),
      ];
      const before = world.store.now();
      const reason = new Error('changed my mind');
      const attempt = world.commit(async draft => {
        await draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name: 'blue'})});
        await draft.update(device, chosen({name: 'b'}));
        await draft.link({node: device, relationship: 'tags', peer: tag});
        await draft.putKind({...TAG, definition: 'other'});
        await draft.delete(tag);
        throw reason;
      });
      await expect(attempt).rejects.toBe(reason);
      expect(await world.list({kind: 'TestTag'})).toEqual(['red']);
      expect(await world.value(device, 'name')).toBe('a');
      expect(await world.peers(device, 'tags')).toEqual([]);
      const kinds = (await world.store.snapshot({branch: MAIN})).kinds();
      expect(kinds.find(kind => kind.shape.name === 'TestTag')?.definition).toEqual(TAG.definition);
      expect(await world.store.commits({branch: MAIN, after: before, limit: 9, newestFirst: true})).toEqual(
        [],
      );
      await world.create('TestTag', {name: 'blue'});
    });

    scenario(
      'the commits that touched an object are those of its branch and of what that stands on',
      async world => {
        const id = freshId();
        const made = await world.commit(draft =>
          draft.create({id, kind: 'TestDevice', attributes: chosen({name: 'a'})}),
        );
        const tag = await world.create('TestTag', {name: 'red'});
        const linked = await world.commit(draft => draft.link({node: id, relationship: 'tags', peer: tag}));
        const work = (await world.fork('work')).name;
        const onMain = await world.commit(draft => draft.update(id, chosen({name: 'b'})));
        const onWork = await world.commit(draft => draft.update(id, chosen({role: 'leaf'})), work);
        const instants = async (branch = MAIN, page: {limit: number; before?: Instant} = {limit: 9}) =>
          (await world.store.touches({branch}, id, page)).map(touch => [touch.branch, touch.instant]);
        expect(await instants()).toEqual([onMain, linked, made].map(instant => [MAIN, instant]));
        expect(await instants(work)).toEqual([
          [work, onWork],
          [MAIN, linked],
          [MAIN, made],
        ]);
        expect(await instants(MAIN, {limit: 1, before: onMain})).toEqual([[MAIN, linked]]);
        const ended = await world.commit(draft => draft.delete(id));
        expect((await instants())[0]).toEqual([MAIN, ended]);
      },
    );

    scenario('a body that only reads leaves no commit and returns what it read', async world => {
      const id = await world.create('TestTag', {name: 'red'});
      const written = await world.store.write(MAIN, SERVICE, async draft =>
        (await draft.node(id))?.value('name'),
      );
      expect(written).toEqual({value: 'red', commit: undefined});
    });

    scenario('a draft reads its own writes, in lists, filters and counts too', async world => {
      const kept = await world.create('TestTag', {name: 'kept'});
      const gone = await world.create('TestTag', {name: 'gone'});
      const {value} = await world.store.write(MAIN, SERVICE, async draft => {
        await draft.create({id: freshId(), kind: 'TestTag', attributes: chosen({name: 'new'})});
        await draft.update(kept, chosen({name: 'changed'}));
        await draft.delete(gone);
        const page = await draft.query({kind: 'TestTag', count: true});
        const where = {
          is: 'attribute',
          attribute: 'name',
          property: 'value',
          test: {op: 'in', values: ['changed', 'kept', 'gone']},
        } as const;
        const filtered = await draft.query({kind: 'TestTag', where});
        return [
          page.count,
          page.found.map(item => item.node.value('name')),
          filtered.found.map(item => item.node.value('name')),
        ];
      });
      expect(value).toEqual([2, ['changed', 'new'], ['changed']]);
    });

    scenario('objects are picked by who made them and who changed them last', async world => {
      const [ada, bob] = [
        await world.create('TestAccount', {name: 'ada'}),
        await world.create('TestAccount', {name: 'bob'}),
      ];
      const [mine, nobodys] = [freshId(), await world.create('TestTag', {name: 'nobodys'})];
      await world.store.write(MAIN, {account: ada}, draft =>
        draft.create({id: mine, kind: 'TestTag', attributes: chosen({name: 'mine'})}),
      );
      const picked = async (where: Condition) => {
        const snapshot = await world.store.snapshot({branch: MAIN});
        return (await snapshot.query({kind: 'TestTag', where})).found.map(({node}) => node.id);
      };
      const made = (...by: NodeId[]) => picked({is: 'node', field: 'createdAt', by});
      const changed = (...by: NodeId[]) => picked({is: 'node', field: 'updatedAt', by});
      expect([await made(ada), await made(bob), await made(ada, bob)]).toEqual([[mine], [], [mine]]);
      await world.store.write(MAIN, {account: bob}, draft => draft.update(mine, chosen({name: 'theirs'})));
      expect([await made(ada), await changed(ada), await changed(bob)]).toEqual([[mine], [], [mine]]);
      expect(await made()).toEqual([]);
      expect(await picked({is: 'not', of: {is: 'node', field: 'updatedAt', by: [bob]}})).toEqual([nobodys]);
    });

    scenario('commits are listed with author, message and what they touched', async world => {
      const account = await world.create('TestAccount', {name: 'ada'});
      const start = world.store.now();
      const [tag, device] = [freshId(), freshId()];
      await world.store.write(MAIN, {account, message: 'two at once'}, async draft => {
        await draft.create({id: tag, kind: 'TestTag', attributes: chosen({name: 'red'})});
        await draft.create({id: device, kind: 'TestDevice', attributes: chosen({name: 'a'})});
        await draft.link({node: device, relationship: 'tags', peer: tag});
      });
      await world.store.write(MAIN, {account, message: 'said before'}, async draft => {
        await draft.update(tag, chosen({name: 'blue'}));
        draft.describe('said inside');
      });
      await world.delete(tag);
      expect(
        await world.store.commits({branch: MAIN, after: start, limit: 10, newestFirst: false}),
      ).toMatchObject([
        {branch: MAIN, author: account, message: 'two at once', nodesTouched: 2, edgesTouched: 1},
        {branch: MAIN, author: account, message: 'said inside', nodesTouched: 1, edgesTouched: 0},
        {branch: MAIN, author: null, message: '', nodesTouched: 1, edgesTouched: 1},
      ]);
    });

    scenario('a commit on a branch counts what it changed, and not what it copied', async world => {
      const site = await world.create('TestSite', {name: 'bern'});
      const rack = await world.create('TestRack', {name: 'r1'});
      const branch = await world.branch('feature');
      await world.link(rack, 'site', site, {on: branch});
      const counts = {nodesTouched: 0, edgesTouched: 1};
      expect(await world.store.commits({branch, limit: 9, newestFirst: true})).toMatchObject([counts]);
      expect((await world.get(rack, branch)).updatedAt).toBe((await world.get(rack)).updatedAt);
    });

    scenario('commits are listed per branch, from either end, in pages', async world => {
      const start = world.store.now();
      const instants: Instant[] = [];
      for (const name of ['a', 'b', 'c', 'd']) {
        instants.push((await world.get(await world.create('TestTag', {name}))).createdAt);
      }
      const branch = await world.branch('feature');
      const own = (await world.get(await world.create('TestTag', {name: 'e'}, {on: branch}), branch))
        .createdAt;
      const list = async (request: Partial<CommitsRequest>) =>
        (
          await world.store.commits({branch: MAIN, after: start, limit: 10, newestFirst: false, ...request})
        ).map(commit => commit.instant);
      expect(await list({})).toEqual(instants);
      expect(await list({newestFirst: true})).toEqual(instants.toReversed());
      expect(await list({limit: 2})).toEqual(instants.slice(0, 2));
      expect(await list({limit: 2, newestFirst: true})).toEqual([instants[3], instants[2]]);
      expect(await list({after: instants[1]!})).toEqual(instants.slice(2));
      expect(await list({until: instants[1]!})).toEqual(instants.slice(0, 2));
      expect(await list({after: instants[0]!, until: instants[2]!, newestFirst: true})).toEqual([
        instants[2],
        instants[1],
      ]);
      expect(await list({branch})).toEqual([own]);
    });

    scenario('commits started together land in one order that everyone sees', async world => {
      const id = await world.create('TestDevice', {name: 'a', position: 0});
      const start = world.store.now();
      const writes = await Promise.all(
        Array.from({length: 10}, (_, index) => world.set(id, {position: index + 1})),
      );
      const commits = await world.store.commits({branch: MAIN, after: start, limit: 20, newestFirst: false});
      expect(commits.map(commit => commit.instant)).toEqual(writes.toSorted((a, b) => a! - b!));
      for (const [index, at] of writes.entries()) {
        expect(await world.value(id, 'position', {branch: MAIN, at: at!})).toBe(index + 1);
      }
    });

    scenario('bodies on different branches may run while others wait', async world => {
      const branches = await Promise.all(['one', 'two', 'three'].map(name => world.branch(name)));
      const names = Array.from({length: 5}, (_, index) => `tag-${index}`);
      await Promise.all(branches.flatMap(on => names.map(name => world.create('TestTag', {name}, {on}))));
      for (const branch of branches) expect(await world.list({kind: 'TestTag'}, branch)).toEqual(names);
      expect(await world.list({kind: 'TestTag'})).toEqual([]);
    });

    scenario('a commit of a thousand objects is one commit', async world => {
      const site = await world.create('TestSite', {name: 'bern'});
      const commit = await world.commit(async draft => {
        for (let index = 0; index < 1000; index++) {
          const id = freshId();
          await draft.create({
            id,
            kind: 'TestDevice',
            attributes: chosen({name: `d${String(index).padStart(4, '0')}`}),
          });
          await draft.link({node: id, relationship: 'site', peer: site});
        }
      });
      const page = await world.query({kind: 'TestDevice', count: true, page: {limit: 2, offset: 998}});
      expect([page.count, page.found.map(found => found.node.value('name'))]).toEqual([
        1000,
        ['d0998', 'd0999'],
      ]);
      expect((await world.store.commits({branch: MAIN, limit: 1, newestFirst: true}))[0]).toMatchObject({
        instant: commit,
        nodesTouched: 1000,
        edgesTouched: 1000,
      });
    });
  });
}
