import {getArgumentValues} from 'graphql';
import type {Caller} from '../../../app/caller.ts';
import {createNode} from '../../../app/node/create-node.ts';
import {deleteNode} from '../../../app/node/delete-node.ts';
import {lookAhead} from '../../../app/node/look-ahead.ts';
import type {NodeInput, NodeReference} from '../../../app/node/node-input.ts';
import {prepareNodeInput} from '../../../app/node/prepare-node-input.ts';
import {addPeers, removePeers} from '../../../app/node/relate.ts';
import {updateNode} from '../../../app/node/update-node.ts';
import {upsertNode} from '../../../app/node/upsert-node.ts';
import type {WriteScope} from '../../../app/write.ts';
import {must, unreachable} from '../../../base/assert.ts';
import {Slices} from '../../../base/slices.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {KindSchema} from '../../../domain/schema/schema.ts';
import type {FieldContext} from '../engine.ts';
import type {RootField} from '../plan/query-plan.ts';
import type {Running} from '../running.ts';
import {actingCaller, type GivenContext} from './acting-caller.ts';
import {eachRow, requireRows} from './bulk.ts';
import type {MutationMeaning} from './mutation-meaning.ts';
import {type Given, nodeInputOf, relatedInputOf} from './node-input-of.ts';

/** What a mutation did: the objects to show, and those that went. */
export interface Outcome {
  readonly shown: readonly NodeId[];
  readonly deleted: readonly NodeId[];
}

/** A mutation with its arguments read and its passwords hashed: all that can be done before the write. */
export interface MutationStep {
  readonly caller: Caller;
  readonly isDryRun: boolean;
  readonly message: string | undefined;
  write(scope: WriteScope): Promise<Outcome>;
}

export async function prepareStep(
  {context, reading}: Running,
  {field, nodes}: Omit<RootField, 'run'>,
  meaning: MutationMeaning,
): Promise<MutationStep> {
  const args = getArgumentValues(field, nodes[0]!, {...reading.variables});
  const given = args.context as GivenContext | null | undefined;
  const caller = await actingCaller(context, given);
  return {
    caller,
    isDryRun: args.dry_run === true,
    message: given?.message ?? undefined,
    write: await writerOf(context, meaning, args.data),
  };
}

const shows = (...shown: readonly NodeId[]): Outcome => ({shown, deleted: []});

async function writerOf(
  context: FieldContext,
  {verb, kind}: MutationMeaning,
  data: unknown,
): Promise<MutationStep['write']> {
  switch (verb) {
    case 'create': {
      const input = await inputOf(context, kind, data);
      return async scope => shows((await createNode(scope, kind, input)).id);
    }
    case 'update': {
      const input = await inputOf(context, kind, data);
      return async scope => shows((await updateNode(scope, kind, input)).id);
    }
    case 'upsert': {
      const input = await inputOf(context, kind, data);
      return async scope => shows((await upsertNode(scope, kind, input)).node.id);
    }
    case 'delete': {
      const reference = referenceOf(data);
      return async scope => ({shown: [], deleted: await deleteNode(scope, kind, reference)});
    }
    case 'createMany': {
      const rows = await inputsOf(context, kind, data);
      return async scope => {
        await lookAhead(scope.draft, rows);
        return shows(...(await eachRow(rows, async row => (await createNode(scope, kind, row)).id)));
      };
    }
    case 'upsertMany': {
      const rows = await inputsOf(context, kind, data);
      return async scope => {
        await lookAhead(scope.draft, rows);
        return shows(...(await eachRow(rows, async row => (await upsertNode(scope, kind, row)).node.id)));
      };
    }
    case 'deleteMany':
      return deleteMany(context, kind, data as readonly unknown[]);
    case 'addPeers':
    case 'removePeers': {
      const {id, name, nodes} = data as {
        readonly id: string;
        readonly name: string;
        readonly nodes: unknown[];
      };
      const peers = nodes
        .filter(node => node !== null)
        .map(node => relatedInputOf(context.schema, '', name, node));
      const relate = verb === 'addPeers' ? addPeers : removePeers;
      return async scope => shows((await relate(scope, {id, relationship: name, peers})).id);
    }
    default:
      return unreachable(verb);
  }
}

/** A row that names an object which an earlier row took along is satisfied. */
function deleteMany(context: FieldContext, kind: string, data: readonly unknown[]): MutationStep['write'] {
  requireRows(data.length, context.list.limits.bulkRowsMax);
  const rows = data.map(referenceOf);
  return async scope => {
    const deleted = new Set<NodeId>();
    await eachRow(rows, async row => {
      if (row.id !== undefined && deleted.has(row.id.toLowerCase() as NodeId)) return;
      for (const id of await deleteNode(scope, kind, row)) deleted.add(id);
    });
    return {shown: [], deleted: [...deleted]};
  };
}

async function inputOf(context: FieldContext, kindName: string, data: unknown): Promise<NodeInput> {
  const {schema, services} = context;
  const kind: KindSchema = must(kindOf(schema, kindName), `the kind ${kindName}`);
  return prepareNodeInput(services, schema, kindName, nodeInputOf(schema, kind, data as Given));
}

async function inputsOf(context: FieldContext, kind: string, data: unknown): Promise<readonly NodeInput[]> {
  const rows = data as readonly unknown[];
  requireRows(rows.length, context.list.limits.bulkRowsMax);
  // Nothing is locked yet, so others need not wait until all rows are read.
  const slices = new Slices();
  return eachRow(rows, async row => {
    if (slices.isOver) await slices.next();
    return inputOf(context, kind, row);
  });
}

function referenceOf(data: unknown): NodeReference {
  const {id, hfid} = data as {readonly id?: string | null; readonly hfid?: readonly unknown[] | null};
  return {...(id ? {id} : {}), ...(hfid ? {hfid: hfid.map(String)} : {})};
}
