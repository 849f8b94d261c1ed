import {deviceId, interfacesOf} from '../data-sets/service-set.ts';
import {type Execute, MAIN_SERIAL, OPEN, serialOf} from './raw-database.ts';

const VISIBLE = `v.branch = ${MAIN_SERIAL} AND v.t = ${OPEN} AND v.del = 0`;
const KIND = 'SELECT v.kind FROM node n CROSS JOIN ver v WHERE n.uuid = ?1 AND v.node = n.id LIMIT 1';
const RELATIONSHIP = `SELECT e.rel FROM edge e WHERE e.src = (SELECT id FROM node WHERE uuid = ?1)
  AND e.dst = (SELECT id FROM node WHERE uuid = ?2)`;
const DEVICES = `SELECT x.node, v.doc FROM ix x CROSS JOIN ver v
  WHERE x.branch = ${MAIN_SERIAL} AND x.attr = ?1 AND x.val = '' AND v.node = x.node AND ${VISIBLE}
  ORDER BY x.sk, x.node LIMIT ?2`;
const INTERFACES = `SELECT e.src, v.doc, v.sk FROM json_each(?1) p CROSS JOIN edge e CROSS JOIN ver v
  WHERE e.src = p.value AND e.rel = ?2 AND e.branch = ${MAIN_SERIAL} AND e.del = 0 AND v.node = e.dst AND ${VISIBLE}`;

const CONTAINING = `SELECT x.node FROM ix x CROSS JOIN ver v
  WHERE x.branch = ${MAIN_SERIAL} AND x.attr = ?1 AND x.val = '' AND v.node = x.node AND ${VISIBLE}
    AND instr(v.doc, ?2) > 0 LIMIT 20`;

/** The rows behind answers about the service set, and nothing else: one statement for each level. */
export class RawServiceReads {
  readonly #execute: Execute;
  readonly #devices: number;
  readonly #interfaces: number;

  constructor(execute: Execute) {
    this.#execute = execute;
    const [kind] = execute(KIND, deviceId(0));
    this.#devices = serialOf(execute, 'index', `${kind![0]}@%`);
    const [relationship] = execute(RELATIONSHIP, deviceId(0), interfacesOf({index: 0})[0]!.id);
    this.#interfaces = relationship![0] as number;
  }

  /** Devices with a text in their documents, found by looking at all of them. */
  containing(text: string): readonly number[] {
    return this.#execute(CONTAINING, this.#devices, text).map(row => row[0] as number);
  }

  /** The first devices in order, with all of their interfaces, which are eleven each. */
  withInterfaces(limit: number): readonly string[] {
    const devices = this.#execute(DEVICES, this.#devices, limit);
    const nodes = JSON.stringify(devices.map(row => row[0]));
    const interfaces = this.#execute(INTERFACES, nodes, this.#interfaces);
    return [...devices, ...interfaces].map(row => row[1] as string);
  }
}
