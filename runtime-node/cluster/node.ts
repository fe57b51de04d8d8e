// A node of a cluster. It listens all the time; behind it are parts (part.ts): one for the log that every cluster has, with the namespace `default`
// in it, and one for each further namespace, which has a log and a writer of its own. A request goes to the part that its path names; where another
// node writes that, its replica here answers, and sends writes there.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../src/engine/logger.ts';
import { defaultNamespace, nameProblem } from '../../src/engine/names.ts';
import { Problem } from '../../src/http/problems.ts';
import type { ClusterDescription, ClusterNamespace } from '../../src/http/replication/cluster.ts';
import { decodeSegment, splitTarget, targetOf } from '../../src/http/target.ts';
import { Placement, type PlacementText, placedIn, placementName, placeOf } from '../../src/storage/placement.ts';
import { type Listener, listen } from '../listener.ts';
import { outboundFetches } from '../outbound-fetch.ts';
import type { RunningService } from '../service.ts';
import { answerProblem, described, headersWithoutLength } from './answers.ts';
import { handedOver, handOver } from './hand-over.ts';
import { ClusterPart, looksInLease, partPath } from './part.ts';
import type { Configure, PartNode } from './part-node.ts';
import { type ClusterStore, mainId, openClusterStore } from './store.ts';
import { Turns } from './turns.ts';

const drainMs = 10_000;
/** Between two attempts of a put whose outcome is not known, and two looks at a namespace that moves. */
const againMs = 50;
/** For so long a request for a namespace waits for the one before it that is about the same. */
const makingMs = 5_000;
/** A namespace is made as soon as its log has a writer, which is waited for so long. */
const standsByMs = 10_000;
/** A node that ends waits so long for others that take over what it writes. */
const handOverMs = 5_000;
/** A namespace that does not move within this goes on where it is, and moves when it can. */
const moveMs = 15_000;

export async function startClusterNode(configure: Configure, logger: Logger): Promise<RunningService> {
  const { settings } = configure([]);
  const outbound = outboundFetches();
  const cluster = await openClusterStore(settings, outbound.pool('service')).catch(async (error: unknown) => {
    await outbound.close();
    throw error;
  });
  const node = new ClusterNode(configure, cluster, logger);
  try {
    await node.start();
  } catch (error) {
    await node.stop().catch(() => {}); // the first failure is the one to tell
    await outbound.close();
    throw error;
  }
  const stop = (): Promise<void> => node.stop().finally(() => outbound.close());
  return { url: node.url, storageDirectory: 'of the cluster', stop };
}

class ClusterNode implements PartNode {
  url = '';
  readonly configure: Configure;
  readonly logger: Logger;
  readonly home: PartNode['home'];
  private readonly cluster: ClusterStore;
  private readonly placement: Placement;
  private readonly main: ClusterPart;
  private readonly leaseMs: number;
  private listener: Listener | null = null;
  /** By the ids of their logs. */
  private readonly parts = new Map<string, ClusterPart>();
  /** Of namespaces that are gone. */
  private leaving: Promise<void> = Promise.resolve();
  private looking: Promise<void> = Promise.resolve();
  private readonly making = new Turns(makingMs);
  /** When a part was last given another name. */
  private readonly claimedMs = new Map<string, number>();
  private readonly ending = new AbortController();
  private isRetiring = false;

  constructor(configure: Configure, cluster: ClusterStore, logger: Logger) {
    const { settings } = configure([]);
    this.configure = configure;
    this.logger = logger;
    this.cluster = cluster;
    this.leaseMs = settings['Cluster:LeaseMilliseconds'];
    this.home = { cluster: { describe: () => this.describe(), move: (name, node) => this.move(name, node) } };
    this.placement = new Placement({
      ...{ store: cluster.common(), name: placementName, newStamp: () => randomUUID() },
      again: () => this.wait(againMs),
    });
    this.main = this.part(defaultNamespace, mainId, cluster);
  }

  async start(): Promise<void> {
    const { settings } = this.configure([]);
    const answer = (request: Request, target = targetOf(request.url)): Promise<Response> =>
      this.answer(request, target);
    this.listener = await listen(answer, { host: settings['Http:Host'], port: settings['Http:Port'] });
    this.url = this.listener.url;
    await this.lookOrTell();
    await this.main.start();
    this.looking = this.keepLooking();
  }

  async stop(): Promise<void> {
    await this.retire();
    for (const part of this.allParts) part.endOpenEnded();
    this.ending.abort(new Error('This node ends.'));
    await this.listener?.close(drainMs);
    await this.looking;
    await this.leaving;
    await Promise.all(this.allParts.map((part) => part.stop()));
    const gone = this.placement.change((text) => this.without(text, this.address()));
    await gone.catch(() => {}); // who takes its logs says so too
    await this.cluster.close();
  }

  /** What it writes goes to others while it still listens. */
  private async retire(): Promise<void> {
    this.isRetiring = true;
    for (const part of this.allParts) part.retire();
    const node = this.address();
    const nameOf = (id: string): string | undefined => (id === mainId ? defaultNamespace : this.nameOf(id));
    const handed = handOver({
      parts: this.allParts,
      otherNodes: this.placement.text.nodes.filter((one) => one !== node),
      settings: this.configure([]).settings,
      place: (places) => this.placement.change((text) => handedOver(text, places, node, nameOf)),
      isThere: (other) => this.placement.text.nodes.includes(other),
      withinMs: handOverMs,
    });
    await handed.catch((error: unknown) => this.logger.warn(`Nothing was handed over: ${String(error)}`));
  }

  readonly address = (): string => this.configure([]).settings['Cluster:AdvertiseUrl'] ?? this.url;

  readonly isNameTaken = (name: string, id: string): boolean => {
    const place = this.placed(name);
    return (place !== null && place.id !== id) || (id !== mainId && this.main.has(name));
  };

  /** The name before stays the part's as well, until its namespace has the new one. */
  readonly claimName = async (name: string, id: string): Promise<boolean> => {
    if (id === mainId) {
      await this.placement.read();
      return !this.isNameTaken(name, id);
    }
    this.claimedMs.set(id, performance.now());
    const { namespaces } = await this.placement.change((text) => {
      const place = Object.values(text.namespaces).find((one) => one.id === id);
      const isFree = placeOf(text, name) === null && !this.isNameTaken(name, id);
      return place === undefined || !isFree ? null : { nodes: text.nodes, namespaces: placedIn(text, name, place) };
    });
    return Object.hasOwn(namespaces, name) && namespaces[name]?.id === id;
  };

  private get allParts(): ClusterPart[] {
    return [this.main, ...this.parts.values()];
  }

  private placed(name: string) {
    return name === defaultNamespace ? null : placeOf(this.placement.text, name);
  }

  private part(name: string, id: string, cluster: ClusterStore): ClusterPart {
    const clusterName = encodeURIComponent(this.configure([]).settings['Cluster:Name']);
    return new ClusterPart({
      ...{ node: this, cluster, id },
      directory: id === mainId ? `cluster://${clusterName}` : `cluster://${clusterName}/${id}`,
      place: () => placeOf(this.placement.text, this.nameOf(id) ?? name)?.node ?? null,
      taken: (holder) => {
        const taken = this.placement.change((text) => this.takenOver(text, this.nameOf(id) ?? name, holder));
        taken.catch((error: unknown) =>
          this.logger.warn(`The placement says nothing of a take-over: ${String(error)}`),
        );
      },
    });
  }

  /** Of the namespace whose log has that id. */
  private nameOf(id: string): string | undefined {
    return Object.entries(this.placement.text.namespaces).find(([, place]) => place.id === id)?.[0];
  }

  /** What this node has taken over is placed here, and whoever had it has gone. */
  private takenOver(text: PlacementText, name: string, holder: string) {
    const place = placeOf(text, name);
    const node = this.address();
    const namespaces = place === null ? text.namespaces : placedIn(text, name, { ...place, node });
    return { namespaces, nodes: text.nodes.filter((one) => one !== holder || one === node) };
  }

  private without({ namespaces, nodes }: PlacementText, node: string) {
    return nodes.includes(node) ? { namespaces, nodes: nodes.filter((one) => one !== node) } : null;
  }

  private wait(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.ending.signal });
  }

  private async keepLooking(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      await this.wait(this.leaseMs / looksInLease).catch(() => {}); // the node ends
      if (!signal.aborted) await this.lookOrTell();
    }
  }

  private async lookOrTell(): Promise<void> {
    try {
      await this.placement.read();
      if (!this.isRetiring && !this.placement.text.nodes.includes(this.address())) await this.join();
      this.settle();
      await this.nameAll();
    } catch (error) {
      if (!this.ending.signal.aborted) this.logger.warn(`Where namespaces belong is not known: ${String(error)}`);
    }
  }

  private join(): Promise<PlacementText> {
    const node = this.address();
    return this.placement.change(({ namespaces, nodes }) =>
      nodes.includes(node) ? null : { namespaces, nodes: [...nodes, node].sort() },
    );
  }

  /** A part for each namespace there is, and none for others. Waits for none of them: one whose log does not answer holds up nothing else. */
  private settle(): void {
    const wanted = Object.entries(this.placement.text.namespaces).filter(([, { id }]) => id !== mainId);
    const ids = new Set(wanted.map(([, { id }]) => id));
    for (const [id, part] of this.parts) {
      if (ids.has(id)) continue;
      this.parts.delete(id);
      this.leaving = this.leaving.then(() => part.remove());
    }
    for (const [name, { id }] of wanted)
      if (!this.parts.has(id)) this.parts.set(id, this.part(name, id, this.cluster.part(id)));
    for (const part of this.parts.values()) void part.start();
    for (const part of this.allParts) part.hurry();
  }

  /** A writer that ended while it renamed its namespace has told nobody of it. */
  private async nameAll(): Promise<void> {
    for (const [id, { ownName }] of this.parts) {
      const isClaiming = performance.now() - (this.claimedMs.get(id) ?? Number.NEGATIVE_INFINITY) < this.leaseMs;
      const names = Object.entries(this.placement.text.namespaces).filter(([, place]) => place.id === id);
      const isRight = names.length === 1 && names[0]?.[0] === ownName;
      if (ownName !== null && !isClaiming && !isRight) await this.rename(id, ownName);
    }
  }

  private answer(request: Request, target: string): Promise<Response> {
    // Most requests are for the one namespace whose paths name none.
    return /^\/(?:ns|cluster)\b/i.test(target) ? this.answerNamed(request, target) : this.main.answer(request, target);
  }

  private async answerNamed(request: Request, target: string): Promise<Response> {
    const { path } = splitTarget(target);
    if (target.startsWith(partPath)) {
      const slash = target.indexOf('/', partPath.length);
      const id = target.slice(partPath.length, slash === -1 ? undefined : slash);
      const part = id === mainId ? this.main : this.parts.get(id);
      if (part === undefined || slash === -1)
        return answerProblem(new Problem('notFound', `There is no log ${id} here.`));
      return part.answer(request, target.slice(slash));
    }
    // No service is there yet to ask for a key, so no name of a namespace is told.
    if (path === '/cluster' && this.main.role === 'none') return Response.json({ ...this.describe(), namespaces: [] });
    const [, encoded, below] = /^\/ns\/([^/]+)(\/.*)?$/i.exec(path) ?? [];
    if (encoded === undefined)
      return path === '/ns' && request.method === 'GET' && this.parts.size > 0
        ? this.list(request, target)
        : this.main.answer(request, target);
    try {
      return await this.answerOf(decodeSegment(encoded), below === undefined, request, target);
    } catch (error) {
      if (error instanceof Problem) return answerProblem(error);
      throw error;
    }
  }

  /** `isItself`: the path is that of the namespace. */
  private async answerOf(name: string, isItself: boolean, request: Request, target: string): Promise<Response> {
    if (isItself && request.method === 'PUT')
      return this.making.take(name, () => this.answerPut(name, request, target));
    const place = this.placed(name);
    const response = await this.partOf(name).answer(request, target);
    if (place === null || !isItself || response.status >= 300) return response;
    if (request.method === 'DELETE') await this.rename(place.id, null);
    if (request.method !== 'PATCH') return response;
    const text = await response.text();
    const { name: newName } = JSON.parse(text) as { name: string };
    if (newName !== name) await this.rename(place.id, newName);
    return new Response(text, { status: response.status, headers: response.headers });
  }

  /** A place that was made for a namespace that is refused goes again. One request for a name at a time: nobody else's namespace is in it by then. */
  private async answerPut(name: string, request: Request, target: string): Promise<Response> {
    let made: string | null = null;
    if (this.placed(name) === null) {
      // A place is made for those alone whom the service itself would let in.
      const asked = new Request(new URL('/ns', request.url), { headers: request.headers });
      await this.main.standsBy(standsByMs);
      const entry = await this.main.answer(asked, '/ns');
      if (entry.status !== 200) return entry;
      await entry.body?.cancel();
      made = await this.make(name);
    }
    const part = this.partOf(name);
    await part.standsBy(standsByMs);
    const response = await part.answer(request, target);
    const isRefused = response.status >= 400 && response.status < 500;
    if (made !== null && isRefused) await this.rename(made, null);
    return response;
  }

  private partOf(name: string): ClusterPart {
    const place = this.placed(name);
    if (place !== null && !this.parts.has(place.id)) this.settle();
    const part = place === null ? this.main : this.parts.get(place.id);
    if (part === undefined) throw new Problem('overloaded', `Namespace '${name}' is just being made.`);
    return part;
  }

  /** A place for a namespace that there is not yet: here. Whether it can be made says its part. Answers the id of its log; null: nothing was made. */
  private async make(name: string): Promise<string | null> {
    if (nameProblem(name) !== null || name === defaultNamespace || this.isNameTaken(name, '')) return null;
    const { 'Namespaces:MaxNamespaces': most } = this.configure([]).settings;
    const place = { id: randomUUID(), node: this.address() };
    const { namespaces } = await this.placement.change((text) => {
      const isFull = Object.keys(text.namespaces).length >= most - 1;
      if (isFull || placeOf(text, name) !== null) return null;
      return { nodes: text.nodes, namespaces: placedIn(text, name, place) };
    });
    this.settle();
    await this.parts.get(place.id)?.start();
    return Object.hasOwn(namespaces, name) && namespaces[name]?.id === place.id ? place.id : null;
  }

  /** Of the namespace whose log has that id; null: it is gone. */
  private async rename(id: string, newName: string | null): Promise<void> {
    await this.placement.change((text) => {
      const all = Object.entries(text.namespaces);
      const named = all.filter(([, one]) => one.id === id);
      const place = named[0]?.[1];
      const others = { ...text, namespaces: Object.fromEntries(all.filter(([, one]) => one.id !== id)) };
      if (place === undefined || (named.length === 1 && named[0]?.[0] === newName)) return null;
      if (newName === null) return others;
      return placeOf(others, newName) === null ? { ...others, namespaces: placedIn(others, newName, place) } : null;
    });
    this.settle();
  }

  /** The namespaces of all parts. */
  private async list(request: Request, target: string): Promise<Response> {
    const whole = await this.main.answer(request, target);
    if (whole.status !== 200) return whole;
    const listing = (await whole.json()) as { namespaces: { name: string }[] };
    const asked = [...this.parts.values()].map(async (part) => {
      const answer = await part.answer(request, target);
      if (answer.status !== 200) return [];
      const { namespaces } = (await answer.json()) as { namespaces: { name: string }[] };
      return namespaces.filter(({ name }) => name !== defaultNamespace);
    });
    const namespaces = [...listing.namespaces, ...(await Promise.all(asked)).flat()];
    namespaces.sort((one, other) => (one.name < other.name ? -1 : 1));
    return Response.json({ ...listing, namespaces }, { headers: headersWithoutLength(whole.headers) });
  }

  private describe(): ClusterDescription {
    const { nodes } = this.placement.text;
    const namespaces: ClusterNamespace[] = Object.keys(this.placement.text.namespaces)
      .filter((name) => name !== defaultNamespace)
      .sort()
      .flatMap((name) => {
        const place = this.placed(name);
        const part = this.parts.get(place?.id ?? '');
        return place === null ? [] : [described(name, place.id, place.node, part ?? null)];
      });
    const place = placeOf(this.placement.text, defaultNamespace)?.node ?? null;
    const first = described(defaultNamespace, mainId, place, this.main);
    const { role, term, writer } = first;
    return { node: this.address(), role, term, writer, nodes: [...nodes], namespaces: [first, ...namespaces] };
  }

  private async move(name: string, node: string): Promise<'moved' | 'later' | 'unknownNode' | 'unknownNamespace'> {
    const { nodes } = await this.placement.read();
    const id = name === defaultNamespace ? mainId : this.placed(name)?.id;
    const part = id === mainId ? this.main : this.parts.get(id ?? '');
    if (id === undefined || part === undefined) return 'unknownNamespace';
    if (!nodes.includes(node)) return 'unknownNode';
    await this.placement.change((text) => ({
      nodes: text.nodes,
      namespaces: placedIn(text, name, { id, node }),
    }));
    const endMs = performance.now() + moveMs;
    while (performance.now() < endMs) {
      if ((await part.holder().catch(() => '')) === node) return 'moved';
      await this.wait(againMs);
    }
    return 'later';
  }
}
