// What all functions of a fragment's module share while it is made.

import type { BoundFragment, Local } from '../../tree.ts';
import type { TypeTable } from '../objects/type-table.ts';
import type { Queries } from '../sequences/queries.ts';
import type { ModuleWriter } from '../wasm/module-writer.ts';
import type { Captures } from './captures.ts';
import type { Closures } from './closures.ts';
import type { ExceptionTable } from './exception-table.ts';
import type { FunctionEmitter } from './function-emitter.ts';

/** What all functions of a fragment share. */
export interface FragmentModule {
  readonly bound: BoundFragment;
  readonly writer: ModuleWriter;
  /** Begins a function; a parameter without a variable of the fragment is null. */
  newFunction(parameters: readonly (Local | null)[]): FunctionEmitter;
  readonly kind: string;
  /** Globals with the intern id of a name, by name. */
  readonly names: Map<string, number>;
  /** Globals with a constant text, by text. */
  readonly texts: Map<string, number>;
  /** Globals of the factory's captured locals, by local. */
  readonly captured: Map<Local, number>;
  /** Variables that functions of the fragment share. */
  readonly captures: Captures;
  /** Functions of the fragment that are functions of the module. */
  readonly closures: Closures;
  /** Sequences that are objects. */
  readonly queries: Queries;
  /** Variables and functions that live longer than where they stand, as an earlier attempt found out. */
  readonly escaping: ReadonlySet<unknown>;
  /** The `context` parameter: nothing can be done with it but calling its members. */
  readonly context: Local;
  /** Global with the address of the directory of pages. */
  readonly pages: number;
  /** Globals that remember the shape met last at a place where a property is read. */
  readonly shapes: number[];
  usesScratch: boolean;
  /** Whether it catches exceptions: what C# throws is thrown inside, and handed to the host where nobody caught it. */
  readonly catches: boolean;
  /** Exceptions by number and their messages. */
  readonly exceptions: ExceptionTable;
  /** The types of its objects. */
  readonly types: TypeTable;
  /** A function has changed a variable of the factory: what it answers depends on what it was asked before. */
  changesVariables: boolean;
}
