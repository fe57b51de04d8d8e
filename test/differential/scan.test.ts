// Three answers to every typed scan: the SIMD scan, its scalar twin and the naive model, over random values of every type under
// every operator, in elements of many shapes.

import { describe, expect, test } from 'vitest';
import { ALL, BUILDS, NONE, OK, ReadsCore } from '../unit/support/reads-core.ts';
import { encodeValue, pick, randomFrom, randomValue, TYPE, textOf, type Value } from '../unit/support/reads-values.ts';

const LABELS = [null, 'a', 'b'];

function fill(core: ReadsCore, random: () => number): void {
  const below = (count: number): number => Math.floor(random() * count);
  for (let i = 0; i < 3000; i++) {
    const properties = new Map<string, Value>();
    for (let key = below(6); key > 0; key--) {
      // A key has its own type most of the time, so blocks fill up.
      const number = below(20);
      properties.set(`p${number}`, randomValue(random() < 0.8 ? 1 + (number % 19) : 1 + below(19), random));
    }
    const edge = i > 0 && random() < 0.5 ? { source: 0, target: 0, type: 't' } : {};
    core.model.add({ label: LABELS[below(3)], properties, ...edge });
  }
  expect(core.commit()).toBe(OK);
  for (let i = 0; i < 200; i++) core.model.remove(1 + below(2999));
  expect(core.commit()).toBe(OK);
}

/** Puts a literal where a scan expects it: a slot, which for long values holds the address of a record. */
function literalSlot(core: ReadsCore, literal: Value, key: string): { slot: number; key: number; keyBytes: number } {
  const encoded = encodeValue(literal);
  const [slot, , record, , at, keyBytes] = core.input(new Uint8Array(16), encoded, key);
  const byAddress = [TYPE.String, TYPE.SingleArray, TYPE.Decimal, TYPE.DateTimeOffset, TYPE.Guid] as number[];
  if (byAddress.includes(literal.type)) core.view.setUint32(slot, record, true);
  else core.bytes.set(encoded, slot);
  return { slot, key: at, keyBytes };
}

/** The same scan with key, literal and label as texts. */
function scanByText(
  core: ReadsCore,
  key: string,
  operator: number,
  literal: Value,
  label: string | null,
  kinds: number,
): number[] {
  const [keyAt, keyBytes, literalAt, literalBytes, labelAt, labelBytes] = core.input(key, textOf(literal), label ?? '');
  const texts = [literalAt, literalBytes, labelAt, label === null ? NONE : labelBytes];
  const range = [kinds, 0, ALL, ALL];
  expect(core.exports.scanPropertyText(core.graph, keyAt, keyBytes, operator, literal.type, ...texts, ...range)).toBe(
    OK,
  );
  return core.ids();
}

describe.each(BUILDS)('%s', (build) => {
  test('SIMD, scalar and model agree', () => {
    const seed = Number(process.env.SEED ?? (Date.now() ^ 0xd1ff) >>> 0);
    console.log(`scan: seed ${seed}`);
    const random = randomFrom(seed);
    const core = new ReadsCore(build);
    fill(core, random);
    const { exports, graph, model } = core;
    const labels = LABELS.map((text) => {
      const [at, bytes] = core.input(text ?? '');
      return { text, id: text === null ? NONE : exports.internFind(at, bytes) >>> 0 };
    });
    let hits = 0;
    for (let round = 0; round < 19 * 6 * 12; round++) {
      const number = round % 20;
      const operator = Math.floor(round / 20) % 6;
      const literal = randomValue(1 + ((random() < 0.9 ? number : round) % 19), random);
      const label = pick(labels, random);
      const kinds = 1 + Math.floor(random() * 3);
      const place = literalSlot(core, literal, `p${number}`);
      const scan = [
        graph,
        place.key,
        place.keyBytes,
        operator,
        literal.type,
        place.slot,
        label.id,
        kinds,
        0,
        ALL,
        ALL,
      ] as const;
      expect(exports.scanPropertyScalar(...scan)).toBe(OK);
      const scalar = core.ids();
      expect(exports.scanProperty(...scan)).toBe(OK);
      const what = `p${number} ${operator} ${literal.type} ${textOf(literal)}`;
      expect([what, ...core.ids()]).toEqual([what, ...scalar]);
      expect([what, ...scalar]).toEqual([what, ...model.scan(`p${number}`, operator, literal, label.text, kinds)]);
      if (literal.type !== TYPE.SingleArray) {
        const found = scanByText(core, `p${number}`, operator, literal, label.text, kinds);
        expect([what, ...found]).toEqual([what, ...scalar]);
      }
      hits += scalar.length;
    }
    expect(hits).toBeGreaterThan(10000); // else the test shows nothing
  });
});
