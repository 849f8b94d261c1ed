import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape, Scope} from '../../domain/graph/shape.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Counters} from './counters.ts';
import type {Dialect} from './dialect.ts';
import type {DocumentCache} from './document-cache.ts';
import {InTheWay} from './job.ts';
import type {KindLayout} from './layout.ts';
import {GraphLayout, inverseCode} from './layout.ts';
import type {Lineage} from './lineage.ts';
import {GLOBAL_SERIAL} from './lineage.ts';
import type {Names} from './names.ts';
import {Queries} from './query.ts';
import {Reader} from './reader.ts';
import type {HasIndex} from './selection.ts';
import type {Stage} from './stage.ts';
import type {StoredNode} from './stored-node.ts';

const IDENTITIES_MAX = 50_000;

export interface DraftOptions {
  readonly branch: number;
  readonly at: Instant;
  readonly lineage: Lineage;
  readonly layout: GraphLayout;
  readonly names: Names;
  readonly dialect: Dialect;
  readonly cache: DocumentCache;
  readonly counters: Counters;
  /** The default branch's word on an agnostic kind: its indexes are kept as that says, whoever writes. */
  readonly canonical: (kind: KindLayout) => KindLayout | undefined;
  /** Which indexes the levels below keep. */
  readonly hasIndex: HasIndex;
  /** Whether the levels below keep the keys of a constraint. */
  readonly hasUnique: HasIndex;
  /** What another write that lands in steps at this moment has claimed. */
  readonly claimed?: Stage | undefined;
}

/** Which node an id stands for, and of what kind it is. */
export interface Identity {
  readonly serial: number;
  readonly layout: KindLayout;
}

/** What a write under way knows: where it stands, what it sees, and what it has touched. */
export class DraftState {
  readonly branch: number;
  readonly at: Instant;
  readonly names: Names;
  readonly dialect: Dialect;
  readonly cache: DocumentCache;
  readonly counters: Counters;
  readonly touchedNodes = new Set<number>();
  /** The kinds of all objects that it has touched, edges included. */
  readonly kindsOfTouched = new Set<KindShape>();
  /** A node stays the same one of the same kind until this write deletes it or changes the schema. */
  readonly identities = new Map<NodeId, Identity>();
  /** Versions that the write sees now, of those it has met; not of kinds whose attributes live on several branches. */
  readonly met = new Map<NodeId, StoredNode>();
  /** Ids that the write has looked for and does not see, with the node that each stands for elsewhere, if any. */
  readonly unseen = new Map<NodeId, number | undefined>();
  /** Nodes given a version of the branch's own with nothing changed in it. */
  readonly copiedNodes = new Set<number>();
  readonly touchedKinds = new Set<string>();
  readonly touchedEdges = new Map<string, readonly [source: number, code: number, target: number]>();
  /** Branches other than its own whose rows it has ended. */
  touchesOthers = false;
  /** True when it moves the fork of a branch. */
  movesForks = false;
  /** The branch that it merges, and the one onto which it rebases its own. */
  merges: number | undefined;
  rebasesOnto: number | undefined;
  /** True when it has written agnostic data. */
  writesGlobal = false;
  /** True when it has written something that a merge weighs: neither agnostic nor local. */
  isWeighed = false;
  readonly #canonical: (kind: KindLayout) => KindLayout | undefined;
  #lineage: Lineage;
  #hasIndex: HasIndex;
  #hasUnique: HasIndex;
  #layoutBefore: GraphLayout;
  /** By id; put together when a write first changes the schema or asks for a kind by its id. */
  #kinds: Map<string, KindLayout> | undefined;
  #layoutsMade = 0;
  #layout: GraphLayout | undefined;
  #queries: Queries | undefined;
  readonly #claimed: Stage | undefined;
  #isInTheWay = false;

  constructor(options: DraftOptions) {
    this.branch = options.branch;
    this.at = options.at;
    this.#lineage = options.lineage;
    this.names = options.names;
    this.dialect = options.dialect;
    this.cache = options.cache;
    this.counters = options.counters;
    this.#canonical = options.canonical;
    this.#hasIndex = options.hasIndex;
    this.#hasUnique = options.hasUnique;
    this.#layoutBefore = options.layout;
    this.#layout = options.layout;
    this.#claimed = options.claimed;
  }

  /** True when it would have written what another has claimed. */
  get isInTheWay(): boolean {
    return this.#isInTheWay;
  }

  /** To be called before a node, or an edge of it, is looked at in order to change it. */
  refuseClaimed(id: NodeId, serial: number): void {
    if (this.#claimed?.claims(id, serial) === true) this.#standBack();
  }

  /** To be called before a node is removed. */
  refuseNeeded(id: NodeId, serial: number): void {
    if (this.#claimed?.needs(id, serial) === true) this.#standBack();
  }

  /** To be called before the own word of a branch is ended. */
  refuseHeld(branch: number): void {
    if (this.#claimed?.held === branch) this.#standBack();
  }

  /** True while another write lands in steps. */
  get hasClaims(): boolean {
    return this.#claimed !== undefined;
  }

  #standBack(): never {
    this.#isInTheWay = true;
    throw new InTheWay();
  }

  get lineage(): Lineage {
    return this.#lineage;
  }

  /** Whether the levels below keep the keys of a constraint. */
  get hasUnique(): HasIndex {
    return this.#hasUnique;
  }

  /** The schema as it was before the write. */
  get layoutBefore(): GraphLayout {
    return this.#layoutBefore;
  }

  get layout(): GraphLayout {
    this.#layout ??= new GraphLayout(`draft ${this.at}.${this.#layoutsMade}`, this.#kindsById.values());
    return this.#layout;
  }

  get reader(): Reader {
    return this.queries.reader;
  }

  get queries(): Queries {
    this.#queries ??= this.#queriesFor(this.layout);
    return this.#queries;
  }

  kindById(id: string): KindLayout | undefined {
    return this.#kindsById.get(id);
  }

  get hasChanges(): boolean {
    return (
      this.movesForks ||
      this.touchedNodes.size > 0 ||
      this.touchedEdges.size > 0 ||
      this.touchedKinds.size > 0
    );
  }

  /** The schema is put together again only when it is next looked at, so that a load of many kinds costs once. */
  setKind(id: string, kind: KindLayout | undefined): void {
    if (this.#claimed?.branch === this.branch) this.#standBack();
    if (kind === undefined) this.#kindsById.delete(id);
    else this.#kindsById.set(id, kind);
    this.#layout = undefined;
    this.#layoutsMade += 1;
    this.#queries = undefined;
    this.#forget();
    this.touchedKinds.add(id);
  }

  /** Stands on another lineage from here on: a rebase. */
  moveTo(lineage: Lineage, layout: GraphLayout, hasIndex: HasIndex, hasUnique: HasIndex): void {
    this.#lineage = lineage;
    this.#hasIndex = hasIndex;
    this.#hasUnique = hasUnique;
    this.#layoutBefore = layout;
    this.#layout = layout;
    this.#queries = undefined;
    this.#kinds = undefined;
    this.#forget();
    this.movesForks = true;
  }

  meet(node: StoredNode): void {
    if (node.layout.isMixed) return;
    if (this.met.size >= IDENTITIES_MAX) this.met.clear();
    this.met.set(node.id, node);
  }

  identify(id: NodeId, identity: Identity): void {
    if (this.identities.size >= IDENTITIES_MAX) this.identities.clear();
    this.identities.set(id, identity);
  }

  get #kindsById(): Map<string, KindLayout> {
    this.#kinds ??= new Map(Array.from(this.#layoutBefore.bySerial.values(), kind => [kind.shape.id, kind]));
    return this.#kinds;
  }

  #forget(): void {
    this.identities.clear();
    this.met.clear();
    this.unseen.clear();
  }

  /** Others have written: what was met is looked at anew, but for nodes that only this write may change. */
  forgetUnless(isOurs: (id: NodeId, serial: number) => boolean): void {
    for (const [id, {serial}] of this.identities) if (!isOurs(id, serial)) this.identities.delete(id);
    for (const [id, {serial}] of this.met) if (!isOurs(id, serial)) this.met.delete(id);
    for (const [id, serial] of this.unseen) if (!isOurs(id, serial ?? 0)) this.unseen.delete(id);
  }

  /** By which layout the index entries of a kind are kept. */
  indexing(kind: KindLayout): KindLayout {
    return kind.shape.scope === 'agnostic' ? (this.#canonical(kind) ?? kind) : kind;
  }

  /** The branch on which a thing of this scope is written. */
  home(scope: Scope): number {
    return scope === 'agnostic' ? GLOBAL_SERIAL : this.branch;
  }

  weigh(scope: Scope): void {
    if (scope === 'aware') this.isWeighed = true;
  }

  /** For an object that comes or goes with everything it has. */
  weighAll({shape}: KindLayout): void {
    this.weigh(shape.scope);
    if (!this.isWeighed) for (const {scope} of shape.attributes) this.weigh(scope);
  }

  touchNode(serial: number, {shape}: KindLayout): void {
    this.touchedNodes.add(serial);
    this.kindsOfTouched.add(shape);
  }

  touchEdge(source: number, code: number, target: number): void {
    if (isReversed(source, code, target)) this.touchEdge(target, inverseCode(code), source);
    else this.touchedEdges.set(`${source},${code},${target}`, [source, code, target]);
  }

  hasTouchedEdge(source: number, code: number, target: number): boolean {
    return isReversed(source, code, target)
      ? this.touchedEdges.has(`${target},${inverseCode(code)},${source}`)
      : this.touchedEdges.has(`${source},${code},${target}`);
  }

  #queriesFor(layout: GraphLayout): Queries {
    const reader = new Reader(this.lineage, layout, this.dialect, this.cache);
    return new Queries(reader, this.#hasIndex, kind => this.names.memberships(kind));
  }
}

/** An edge is told by one of its two halves, always the same one. */
const isReversed = (source: number, code: number, target: number): boolean =>
  (code & 3) === 2 || ((code & 3) === 0 && source > target);
