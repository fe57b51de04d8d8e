// What the tests use of the package, which brings no declarations.

declare module 'rbush' {
  export interface Box {
    readonly minX: number;
    readonly minY: number;
    readonly maxX: number;
    readonly maxY: number;
  }

  export default class RBush<Item extends Box> {
    insert(item: Item): this;
    search(box: Box): Item[];
  }
}
