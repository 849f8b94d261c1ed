import {Bench, type Family, type ServiceFamily, type StoreFamily, Workplace} from './bench.ts';
import {builtSet} from './data-sets/build.ts';
import type {DataSet} from './data-sets/data-set.ts';
import type {Figure} from './measure.ts';
import {formatFigure} from './report/format.ts';
import type {Section} from './report/section.ts';

export interface Chosen {
  readonly families: readonly Family[];
  readonly sets: readonly DataSet[];
  /** Numbers of objects, from small to large. */
  readonly sizes: {readonly store: readonly number[]; readonly service: readonly number[]};
}

const SERVICE_SECTION = {
  name: 'service',
  title: 'The whole service',
  description:
    'N objects of a schema that was loaded as users load one: sites of ten devices with eleven interfaces each, five versions of some',
};
const LONE_SECTION = {
  name: 'rest',
  title: 'The rest',
  description: 'What hardly depends on how many objects there are, measured once',
};

/** Everything that was asked for, in sections of what it was measured on. */
export async function measureAll({families, sets, sizes}: Chosen): Promise<readonly Section[]> {
  const sections: Section[] = [];
  const ofStore = families.filter(family => family.on === 'data set');
  const others = families.filter(family => family.on !== 'data set');
  const ofService = others.filter(family => family.on === 'service');
  const lone = others.filter(family => family.on === 'nothing');
  if (ofStore.length > 0) {
    for (const data of sets) {
      const runs = [];
      for (const size of sizes.store) runs.push({size, figures: await measureStore(data, size, ofStore)});
      const {name, description} = data;
      sections.push({name, title: `The ${name} set`, description, runs});
    }
  }
  if (ofService.length > 0) {
    const runs = [];
    for (const size of sizes.service) {
      runs.push({size, figures: await measureService('service', size, ofService)});
    }
    sections.push({...SERVICE_SECTION, runs});
  }
  if (lone.length > 0) {
    const size = sizes.service.at(-1)!;
    const figures = await measureService('rest', size, lone);
    sections.push({...LONE_SECTION, runs: [{size, figures}]});
  }
  return sections;
}

async function measureStore(
  data: DataSet,
  size: number,
  families: readonly StoreFamily[],
): Promise<readonly Figure[]> {
  const bench = new Bench(data, size, await builtSet(data, size));
  try {
    return await each(`${data.name} ${size}`, families, family => family.run(bench));
  } finally {
    bench.close();
  }
}

async function measureService(
  name: string,
  size: number,
  families: readonly ServiceFamily[],
): Promise<readonly Figure[]> {
  const place = new Workplace(size);
  try {
    return await each(`${name} ${size}`, families, family => family.run(place));
  } finally {
    place.close();
  }
}

async function each<F extends Family>(
  where: string,
  families: readonly F[],
  run: (family: F) => Promise<readonly Figure[]>,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const family of families) {
    const begun = performance.now();
    for (const figure of await run(family)) {
      figures.push({...figure, family: family.name});
      console.error(`${where}  ${figure.name}: ${formatFigure(figure)}`);
    }
    console.error(`${where}  ${family.name} took ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
  return figures;
}
