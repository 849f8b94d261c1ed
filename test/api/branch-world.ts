import type {Json} from '../../src/base/json.ts';
import {type Answered, type GraphqlWorld, openGraphql, type RunOptions} from './graphql-fixtures.ts';

/** Loose on purpose: tests read answers by their path. */
// biome-ignore lint/suspicious/noExplicitAny: an answer has the shape of its document.
export type Loose = any;

/** A server over the network schema, with short words for what one does with branches. */
export async function openBranches(document?: object) {
  const world: GraphqlWorld = await openGraphql(document);
  const data = async (query: string, options?: RunOptions): Promise<Loose> => world.data(query, options);
  const run = (query: string, options?: RunOptions): Promise<Answered> => world.run(query, options);

  async function refused(query: string, options?: RunOptions) {
    const {errors} = await run(query, options);
    if (errors?.[0] === undefined) throw new Error('it was not refused');
    return {message: errors[0].message, ...errors[0].extensions} as {
      message: string;
      code: string;
      data?: Loose;
    };
  }

  const quoted = (value: Json) => JSON.stringify(value);
  return {
    world,
    store: world.store,
    data,
    run,
    refused,
    branch: (name: string, more = '') =>
      data(`mutation { BranchCreate(data: {name: ${quoted(name)} ${more}}) { ok object { id name } } }`),
    merge: (name: string) =>
      data(
        `mutation { BranchMerge(data: {name: ${quoted(name)}}) { ok object { name branched_from } task { id } } }`,
      ),
    rebase: (name: string) => data(`mutation { BranchRebase(data: {name: ${quoted(name)}}) { ok } }`),
    async device(name: string, branch?: string, more = ''): Promise<string> {
      const made = await data(
        `mutation { InfraDeviceCreate(data: {name: {value: ${quoted(name)}} ${more}}) { object { id } } }`,
        branch === undefined ? {} : {branch},
      );
      return made.InfraDeviceCreate.object.id;
    },
    set: (id: string, more: string, branch?: string) =>
      data(
        `mutation { InfraDeviceUpdate(data: {id: ${quoted(id)} ${more}}) { ok } }`,
        branch === undefined ? {} : {branch},
      ),
    remove: (id: string, branch?: string) =>
      data(
        `mutation { InfraDeviceDelete(data: {id: ${quoted(id)}}) { ok } }`,
        branch === undefined ? {} : {branch},
      ),
    async names(branch?: string, at?: string): Promise<string[]> {
      const found = await data('{ InfraDevice { edges { node { name { value } } } } }', {
        ...(branch === undefined ? {} : {branch}),
        ...(at === undefined ? {} : {at}),
      });
      return found.InfraDevice.edges.map((edge: Loose) => edge.node.name.value);
    },
    problems: async () => (await world.store.verify()).problems,
    close: () => world.close(),
  };
}

export type Branches = Awaited<ReturnType<typeof openBranches>>;
