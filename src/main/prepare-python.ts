import {join} from 'node:path';
import {pythonEnvironment} from '../adapters/python/python-environment.ts';
import {TransformFailure} from '../ports/transform-runner.ts';
import {prepareDataFolder} from './data-folder.ts';
import {readSettings} from './settings/read.ts';

// Makes the virtual environment that templates and transforms run in, so that the service finds it.

const {settings} = readSettings(process.env);
const data = await prepareDataFolder(settings.dataFolder);
const folder = settings.pythonEnvironmentFolder ?? join(data, 'python');
try {
  const {program} = await pythonEnvironment({python: settings.pythonCommand, folder});
  process.stdout.write(`${program}\n`);
} catch (error) {
  if (!(error instanceof TransformFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
