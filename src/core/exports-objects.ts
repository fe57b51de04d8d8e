// Functions of the core that make objects in scratch (assembly/fragments/objects.ts, collections.ts). Answers are references, of `tableAdd` the
// address of an entry; 0, or a number below 256, says that there is no room.

export interface ObjectExports {
  objectArray(head: number, count: number): number;
  objectBoxLong(head: number, value: bigint): number;
  objectCreate(head: number, count: number, bytes: number): number;
  tableCreate(head: number, form: number, values: number): number;
  tableFind(table: number, key: number): number;
  tableAdd(table: number): number;
  /** For tests: collections wherever one is possible. */
  runStress(on: number): void;
}
