import {CONFIG_FILES, type RepositoryConfig, readConfig} from '../../../domain/repository/config.ts';
import {DEFINITION, importDefinitions} from './import-definitions.ts';
import {importMenus, importObjects} from './import-objects.ts';
import {importQueries, QUERY} from './import-queries.ts';
import {importSchemas} from './import-schemas.ts';
import {
  importJinja2Transforms,
  importPythonTransforms,
  JINJA2_TRANSFORM,
  PYTHON_TRANSFORM,
} from './import-transforms.ts';
import {type ImportDeps, Importing, type ImportSubject} from './importing.ts';
import {removeGone} from './put-owned.ts';

export interface ImportOutcome {
  /** A sentence for each part that could not be brought in; the other parts are. */
  readonly problems: readonly string[];
  /** Known, and not run by this version. */
  readonly notYetRun: readonly string[];
}

/** Brings a branch in step with what a commit of a repository says it brings. Doing it again changes nothing. */
export async function importCommit(deps: ImportDeps, subject: ImportSubject): Promise<ImportOutcome> {
  const importing = new Importing(deps, subject);
  const {problems} = importing;
  const file = await configFile(importing);
  if (file === undefined) {
    return {problems: [`There is no ${CONFIG_FILES.join(', ')} in the repository`], notYetRun: []};
  }
  let notYetRun: readonly string[] = [];
  await importing.attempt(file.path, async () => {
    const [document = null] = deps.readYaml(file.text);
    const read = readConfig(document);
    const {config} = read;
    problems.push(...read.problems.map(problem => `${file.path}: ${problem}`));
    notYetRun = config.notYetRun;
    await importSchemas(importing, config.schemas);
    await importQueries(importing, config.queries, config.fragments);
    await importJinja2Transforms(importing, config.jinja2Transforms);
    await importPythonTransforms(importing, config.pythonTransforms);
    await importObjects(importing, config.objects);
    await importMenus(importing, config.menus);
    await importDefinitions(importing, config.artifactDefinitions);
    // An entry that could not be read is not one that went.
    if (read.problems.length === 0) await removeAllGone(importing, config);
  });
  return {problems, notYetRun};
}

/** What is used goes after what uses it. */
async function removeAllGone(importing: Importing, config: RepositoryConfig): Promise<void> {
  await removeGone(importing, DEFINITION, names(config.artifactDefinitions));
  await removeGone(importing, JINJA2_TRANSFORM, names(config.jinja2Transforms));
  await removeGone(importing, PYTHON_TRANSFORM, names(config.pythonTransforms));
  await removeGone(importing, QUERY, names(config.queries));
}

const names = (entries: readonly {readonly name: string}[]) => new Set(entries.map(({name}) => name));

async function configFile(importing: Importing) {
  for (const path of CONFIG_FILES) {
    const text = await importing.textIfThere(path);
    if (text !== undefined) return {path, text};
  }
  return undefined;
}
