import {writeFile} from 'node:fs/promises';
import {settingsPage} from './settings/settings-page.ts';

const docs = new URL('../../docs/', import.meta.url);

await writeFile(new URL('settings.md', docs), settingsPage());
