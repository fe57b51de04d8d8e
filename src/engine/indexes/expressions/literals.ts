// The literals that every match of an expression must contain, as alternatives: a text that contains all literals of none of them cannot
// match. ASCII in lower case only: whatever else a match has is not asked for. An expression that promises nothing has no
// alternatives.

import type { Node } from './nodes.ts';

/** Alternatives, each of which names literals that go together. */
export type Literals = readonly (readonly string[])[];

const mostAlternatives = 16;
/** A longer one narrows no more than this. */
const mostCharacters = 64;

/** One alternative without literals: any text will do. */
const anything: Literals = [[]];

export function requiredLiterals(node: Node): Literals {
  const found = required(node).map((literals) => [...new Set(literals)]);
  return found.some((literals) => literals.length === 0) ? [] : found;
}

function required(node: Node): Literals {
  switch (node.kind) {
    case 'character': {
      const letter = letterOf(node);
      return letter === null ? anything : [[letter]];
    }
    case 'sequence':
      return sequence(node.parts);
    case 'choice': {
      const all = node.parts.flatMap((part) => required(part));
      return all.length > mostAlternatives || all.some((literals) => literals.length === 0) ? anything : all;
    }
    case 'repeat':
      return node.least > 0 ? required(node.part) : anything;
    default:
      return anything;
  }
}

/** Characters next to each other are one literal; what other parts ask for goes with it. */
function sequence(parts: readonly Node[]): Literals {
  let all: Literals = anything;
  let run = '';
  const end = (): void => {
    if (run !== '') all = all.map((literals) => [...literals, run.slice(0, mostCharacters)]);
    run = '';
  };
  for (const part of flat(parts)) {
    const letter = part.kind === 'character' ? letterOf(part) : null;
    if (letter !== null) {
      run += letter;
      continue;
    }
    end();
    const more = required(part);
    if (more.length * all.length > mostAlternatives) continue;
    all = all.flatMap((literals) => more.map((others) => [...literals, ...others]));
  }
  end();
  return all;
}

/** Sequences within sequences are one. */
function flat(parts: readonly Node[]): readonly Node[] {
  return parts.flatMap((part) => (part.kind === 'sequence' ? flat(part.parts) : [part]));
}

function letterOf({ code }: { readonly code: number }): string | null {
  return code > 0 && code < 0x80 ? String.fromCharCode(code).toLowerCase() : null;
}
