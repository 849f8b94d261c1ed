import {writing} from '../../../app/write.ts';
import {must} from '../../../base/assert.ts';
import type {Awaitable} from '../../../base/awaitable.ts';
import type {Instant} from '../../../domain/time/instant.ts';
import type {Snapshot} from '../../../ports/graph-store.ts';
import {authorizeMutation} from '../access/authorize-mutation.ts';
import type {FieldAnswer} from '../answer.ts';
import type {FieldContext} from '../engine.ts';
import {refuse} from '../errors.ts';
import {runPlain} from '../plain/run-plain.ts';
import {type RootField, rootFields} from '../plan/query-plan.ts';
import {failed, plainRun, type Running} from '../running.ts';
import {type MutationMeaning, mutationOf} from './mutation-meaning.ts';
import {type MutationStep, type Outcome, prepareStep} from './mutation-step.ts';
import {PayloadPlan} from './payload-plan.ts';

type Root = Omit<RootField, 'run'>;

/** Runs the mutations of an operation one after the other, each a commit of its own unless they are one. */
export async function answerMutation(running: Running): Promise<readonly FieldAnswer[]> {
  const {reading, operation} = running;
  const type = must(reading.schema.getMutationType(), 'the mutation type');
  const roots = rootFields(reading, type, operation);
  if (operation.directives?.some(({name}) => name.value === 'atomic')) return runAtomic(running, roots);
  const answers: FieldAnswer[] = [];
  for (const root of roots) {
    const meaning = mutationOf(root.field);
    const {name} = root.field;
    if (meaning !== undefined) {
      answers.push(await running.watch.field(name, () => runOne(running, root, meaning)));
    } else if (name === '__typename') answers.push({key: root.key, text: '"Mutation"', errors: []});
    else answers.push(...(await running.watch.field(name, () => runOther(running, root))));
  }
  return answers;
}

async function runOther(running: Running, root: Root): Promise<readonly FieldAnswer[]> {
  try {
    authorizeMutation(running.context, root.field.name);
  } catch (error) {
    return [failed(root.key, root.nodes, error)];
  }
  return runPlain(plainRun(running), [root]);
}

async function runOne(running: Running, root: Root, meaning: MutationMeaning): Promise<FieldAnswer> {
  const {context} = running;
  try {
    const step = await prepareStep(running, root, meaning);
    const payload = new PayloadPlan(running, root, meaning);
    payload.authorize(context);
    const errors = payload.hidden(context);
    const text = await committed(context, step, async scope => {
      const outcome = await step.write(scope);
      return {
        outcome,
        text: step.isDryRun ? await payload.write(outcome, rehearsal(context, scope.draft)) : '',
      };
    });
    if (step.isDryRun) return {key: root.key, text: text.value.text, errors};
    const after = at(context, await headAfter(context, text.commit));
    return {key: root.key, text: await payload.write(text.value.outcome, after), errors};
  } catch (error) {
    return failed(root.key, root.nodes, error);
  }
}

const committed = <T>(
  context: FieldContext,
  {caller, isDryRun, message}: Pick<MutationStep, 'caller' | 'isDryRun' | 'message'>,
  body: Parameters<typeof writing<T>>[3],
) => {
  const audit = context.services.log.named('audit');
  const options = {branch: context.branch, isDryRun, audit, ...(message === undefined ? {} : {message})};
  return writing(context.services, caller, options, body);
};

/** What the answer shows is the state that the commit left; a mutation that changed nothing shows the head. */
const headAfter = ({services, branch}: FieldContext, commit: Instant | undefined): Awaitable<Snapshot> =>
  services.store.snapshot(commit === undefined ? {branch} : {branch, at: commit});

const at = (context: FieldContext, snapshot: Snapshot): FieldContext => ({...context, snapshot});

const rehearsal = (context: FieldContext, snapshot: Snapshot): FieldContext => ({
  ...at(context, snapshot),
  isRehearsal: true,
});

/** One commit for all: when one fails, none has happened, and every field is null. */
async function runAtomic(running: Running, roots: readonly Root[]): Promise<readonly FieldAnswer[]> {
  const {context} = running;
  const meanings = roots.map(root => mutationOf(root.field));
  const foreign = roots.find((_, place) => meanings[place] === undefined);
  if (foreign !== undefined) throw refuse(`${foreign.field.name} cannot be part of an atomic operation`);
  let current = roots[0]!;
  const done: {readonly payload: PayloadPlan; readonly outcome: Outcome; readonly text: string}[] = [];
  try {
    const steps: {readonly step: MutationStep; readonly payload: PayloadPlan}[] = [];
    for (const [place, root] of roots.entries()) {
      current = root;
      const meaning = must(meanings[place], 'the meaning');
      const step = await prepareStep(running, root, meaning);
      const payload = new PayloadPlan(running, root, meaning);
      payload.authorize(context);
      steps.push({step, payload});
    }
    const {caller} = steps[0]!.step;
    const isDryRun = steps.some(({step}) => step.isDryRun);
    if (steps.some(({step}) => step.caller.account !== caller.account)) {
      throw refuse('An atomic operation is one commit, so all its mutations act for one account');
    }
    const message = steps.map(({step}) => step.message).find(text => text !== undefined);
    const {commit} = await committed(context, {caller, isDryRun, message}, async scope => {
      // It is run again when it stands in the way of a merge.
      done.length = 0;
      for (const [place, {step, payload}] of steps.entries()) {
        current = roots[place]!;
        const outcome = await step.write(scope);
        const text = isDryRun ? await payload.write(outcome, rehearsal(context, scope.draft)) : '';
        done.push({payload, outcome, text});
      }
    });
    const after = at(context, await headAfter(context, commit));
    const answers: FieldAnswer[] = [];
    for (const [place, {payload, outcome, text}] of done.entries()) {
      current = roots[place]!;
      const {key} = current;
      const shown = isDryRun ? text : await payload.write(outcome, after);
      answers.push({key, text: shown, errors: payload.hidden(context)});
    }
    return answers;
  } catch (error) {
    const failure = failed(current.key, current.nodes, error);
    return roots.map(({key}) => (key === failure.key ? failure : {key, text: 'null', errors: []}));
  }
}
