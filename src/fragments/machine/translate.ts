// An emitted module as a program of the fragment machine. There is one meaning, the emitter's: what is translated is its instructions, one by
// one. Takes time proportional to the module.

import type { Program } from '../../core/machine.ts';
import type { EmittedFragment } from '../emit/emit.ts';
import { step } from '../steps.ts';
import { BodyTranslator, type Joints } from './body.ts';
import { NotTranslated, readModule } from './module-reader.ts';
import { globalOffset, headWords, registerBytes } from './operations.ts';

/** Words of all functions together: as many bytes as a module may have, and some. */
const mostWords = 2 ** 20;

/** Null: it has something that no program has. */
export function translateFragment({ bytes, result }: EmittedFragment): Program | null {
  try {
    return translate(bytes, result);
  } catch (error) {
    if (error instanceof NotTranslated) return null;
    throw error;
  }
}

function translate(bytes: Uint8Array, result: 'i32' | 'f64'): Program {
  const parts = readModule(bytes);
  const words = new Array<number>(headWords + (parts.globals.length * registerBytes) / 4).fill(0);
  const joints: Joints = { coreCalls: [], ownCalls: [] };
  const entries: number[] = [];
  for (const body of parts.bodies) {
    step((body.to - body.from) >> 2);
    if (words.length > mostWords) throw new NotTranslated('so many instructions');
    entries.push(words.length * 4);
    new BodyTranslator(bytes, parts, body, words, joints).translate();
  }
  for (const { word, index } of joints.ownCalls) words[word] = entries[index] as number;
  const entryOf = (name: string): number => {
    const index = parts.exportedFunctions.get(name);
    return index === undefined ? 0 : (entries[index - parts.imports.length] as number);
  };
  for (const [at, name] of ['init', 'call', 'select'].entries()) words[at] = entryOf(name);
  const globals = [...parts.exportedGlobals].map(([name, index]) => [name, globalOffset(index)] as const);
  return {
    words: Uint32Array.from(words),
    calls: joints.coreCalls,
    globals: Object.fromEntries(globals),
    result,
    takesBlocks: entryOf('select') !== 0,
  };
}
