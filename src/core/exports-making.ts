// Exports of the core with which the host makes much of a graph, a piece at a time. Kept like those of exports.ts.

export interface MakingExports {
  // A trim in pieces; a step answers 1 while there are more, 0 at the end, -1 without memory, -2 when the copy was given up
  graphTrimNeeded(graph: number): number;
  graphTrimBegin(graph: number): number;
  trimStep(): number;
  trimDrop(): void;

  // The generator: `session` is the handle of generateBegin
  generateBytes(vertices: number, edges: number): number;
  generateBegin(vertices: number, edges: number, preferential: number, seed: number): number;
  generateChoose(session: number): number;
  generateReserve(session: number, graph: number): number;
  generateUnreserve(session: number, graph: number): number;
  generateNext(session: number, limit: number, timeSeconds: number, timeMs: number): number;
  generateCreated(session: number, firstId: number): void;
  generateDrop(session: number): void;

  // Filling an index from a property, and what the last step of it made
  indexBackfill(
    graph: number,
    name: number,
    nameBytes: number,
    property: number,
    propertyBytes: number,
    prefix: number,
    label: number,
    labelBytes: number,
    element: number,
    end: number,
    timeSeconds: number,
    timeMs: number,
  ): number;
  imageAdds(): number;
  imageBase(): number;
  imageBytes(): number;
  imageNext(): number;
  backfillScanned(): number;
  backfillSkipped(): number;

  // The hash of a graph's state; a step answers 1 while there are more, 0 at the end, -1 without memory
  stateHashBegin(graph: number): void;
  stateHashStep(): number;
  stateHashAdd(kind: number, from: number, bytes: number): void;
  stateHashWord(index: number): number;

  // Analytics: of a projection that has been filled
  projectionSettle(projection: number): void;
}
