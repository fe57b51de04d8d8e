// Functions of the core that read elements (assembly/read): their text stands in OUTPUT.

export interface ReadingExports {
  outputMost(bytes: number): void;
  readElement(graph: number, id: number, kind: number): number;
  readElements(graph: number, ids: number, count: number, start: number): number;
  readMissing(): number;
  readGraph(graph: number, kind: number, fromId: number, limit: number): number;
  readCursor(): number;
  readCount(): number;
  readEdgeTypes(graph: number, id: number, direction: number): number;
  readGroup(graph: number, id: number, direction: number, type: number, typeBytes: number): number;
  readGroupPart(
    graph: number,
    id: number,
    direction: number,
    type: number,
    typeBytes: number,
    after: number,
    limit: number,
  ): number;
  readDegree(graph: number, id: number, direction: number): number;
  readGroupDegree(graph: number, id: number, direction: number, type: number, typeBytes: number): number;
  readEndpoint(graph: number, id: number, end: number): number;
  readEdgeType(graph: number, id: number): number;
}
