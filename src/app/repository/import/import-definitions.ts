import type {ArtifactDefinitionEntry} from '../../../domain/repository/config.ts';
import {namedNode} from './import-transforms.ts';
import type {Importing} from './importing.ts';
import {putOwned} from './put-owned.ts';

export const DEFINITION = 'CoreArtifactDefinition';

export async function importDefinitions(
  importing: Importing,
  definitions: readonly ArtifactDefinitionEntry[],
): Promise<void> {
  for (const entry of definitions) {
    await importing.attempt(`artifact_definitions "${entry.name}"`, async () => {
      const targets = await namedNode(importing, 'CoreGroup', entry.targets);
      const transformation = await namedNode(importing, 'CoreTransformation', entry.transformation);
      await putOwned(importing, DEFINITION, {
        name: entry.name,
        values: {
          artifact_name: entry.artifactName,
          parameters: entry.parameters,
          content_type: entry.contentType,
          description: entry.description,
        },
        peers: {targets: targets.id, transformation: transformation.id},
      });
    });
  }
}
