import {KeyedTurns} from '../../base/keyed-turns.ts';
import {handlerOf, type TaskHandler} from '../task/workflow.ts';
import {ARTIFACT_GENERATE} from './artifact-workflows.ts';
import {type ArtifactDeps, generateArtifacts} from './generate-artifacts.ts';

/** Two tasks of one definition and branch do not run beside each other: the later one sees what the other left. */
export function artifactHandlers(deps: ArtifactDeps): readonly TaskHandler[] {
  const turns = new KeyedTurns();
  return [
    handlerOf(ARTIFACT_GENERATE, (task, run) =>
      turns.run(`${task.branch} ${task.definition}`, () => generateArtifacts(deps, task, run)),
    ),
  ];
}
