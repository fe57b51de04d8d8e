// The tables behind the functions of mathematics, computed with pairs of doubles (pairs.ts) once a memory, because the module may have no
// data section. After that they are only read.
//
//   POWERS    128 x { f64 top, f64 rest }                 2^(i/128); the top has 26 bits
//   LOGS      128 x { f64 inverse, f64 high, f64 low }    1/c in 13 bits for the middle c of the i-th part of the doubles from
//                                                         LOG_FROM to 2 LOG_FROM, and the logarithm of what it is the inverse of; the high
//                                                         part is a multiple of 2^-42
//   WAVES     27 x { f64 x 4 }                            sin(i/32), cos(i/32), each as a top of 26 bits and the rest
//   ARCS      33 x { f64 high, f64 low }                  atan(i/32)
//   TURNS     21 x u64                                    64 zeros and the bits of 2/pi behind the point, from above

import { PAGE_BYTES, VALUE_TABLES } from '../memory/layout';
import { addPairs, dividePairs, low, multiplyPairs, pair, top } from './pairs';

export const POWERS: usize = VALUE_TABLES + PAGE_BYTES;
export const LOGS: usize = POWERS + 16 * 128;
export const WAVES: usize = LOGS + 24 * 128;
export const ARCS: usize = WAVES + 32 * 27;
export const TURNS: usize = ARCS + 16 * 33;

/** Bits of the double where the parts of the logarithm's table begin: 1 lies in the middle of one. */
export const LOG_FROM: u64 = 0x3fe6100000000000;
export const LOG_PART_SHIFT: u32 = 45;

// Of an entry: what the first number lacks; of one of WAVES the cosine, as a pair too; of one of LOGS the logarithm, as a pair.
export const ENTRY_REST: usize = 8;
export const WAVE_COSINE: usize = 16;
export const WAVE_COSINE_REST: usize = WAVE_COSINE + ENTRY_REST;
export const LOG_HIGH: usize = 8;
export const LOG_LOW: usize = 16;

export const LN2: f64 = 0.6931471805599453;
export const LN2_LOW: f64 = 2.3190468138462996e-17;

/** x + x^3/3 + x^5/5 ..., or with changing signs: for small x, twice the first is log((1 + x) / (1 - x)), the second atan(x). */
function oddSeries(h: f64, l: f64, alternating: bool): f64 {
  let squareHigh = multiplyPairs(h, l, h, l);
  let squareLow = low;
  if (alternating) {
    squareHigh = -squareHigh;
    squareLow = -squareLow;
  }
  let sum: f64 = 0;
  let sumLow: f64 = 0;
  for (let k = 47; k > 0; k -= 2) {
    sum = multiplyPairs(sum, sumLow, squareHigh, squareLow);
    sumLow = low;
    const inverse = dividePairs(1, 0, <f64>k, 0);
    sum = addPairs(sum, sumLow, inverse, low);
    sumLow = low;
  }
  return multiplyPairs(sum, sumLow, h, l);
}

/** e^x, cos x or sin x by the powers of x that they have: from `first` on, in steps of `step`, of one sign or changing ones. */
function powerSeries(h: f64, l: f64, first: i32, step: i32, alternating: bool): f64 {
  let sum: f64 = 0;
  let sumLow: f64 = 0;
  let term: f64 = 1;
  let termLow: f64 = 0;
  let next = first;
  for (let k = 0; k < 34; k++) {
    if (k == next) {
      const negative = alternating && ((k - first) & 2) != 0;
      sum = addPairs(sum, sumLow, negative ? -term : term, negative ? -termLow : termLow);
      sumLow = low;
      next += step;
    }
    term = multiplyPairs(term, termLow, h, l);
    term = dividePairs(term, low, <f64>(k + 1), 0);
    termLow = low;
  }
  return pair(sum, sumLow);
}

function storeTop(place: usize, h: f64, l: f64): void {
  store<f64>(place, top(h));
  store<f64>(place, h - top(h) + l, ENTRY_REST);
}

function fillPowers(): void {
  const step = powerSeries(LN2 / 128, LN2_LOW / 128, 0, 1, false);
  const stepLow = low;
  let h: f64 = 1;
  let l: f64 = 0;
  for (let i = 0; i < 128; i++) {
    storeTop(POWERS + ((<usize>i) << 4), h, l);
    h = multiplyPairs(h, l, step, stepLow);
    l = low;
  }
}

function fillLogs(): void {
  const unit: f64 = 4398046511104; // 2^42
  for (let i = 0; i < 128; i++) {
    const middle = reinterpret<f64>(LOG_FROM + ((<u64>(2 * i + 1)) << (LOG_PART_SHIFT - 1)));
    const inverse = nearest<f64>(4096 / middle);
    const ratio = dividePairs(4096 - inverse, 0, 4096 + inverse, 0);
    const half = oddSeries(ratio, low, false);
    const halfLow = low;
    const high = nearest<f64>(2 * half * unit) / unit;
    const place = LOGS + 24 * <usize>i;
    store<f64>(place, inverse / 4096);
    store<f64>(place, high, LOG_HIGH);
    store<f64>(place, 2 * half - high + 2 * halfLow, LOG_LOW);
  }
}

function fillWaves(): void {
  for (let i = 0; i < 27; i++) {
    const place = WAVES + ((<usize>i) << 5);
    const angle = <f64>i / 32;
    const sine = powerSeries(angle, 0, 1, 2, true);
    storeTop(place, sine, low);
    const cosine = powerSeries(angle, 0, 0, 2, true);
    storeTop(place + WAVE_COSINE, cosine, low);
  }
}

function fillArcs(): void {
  let h: f64 = 0;
  let l: f64 = 0;
  for (let i = 0; i < 33; i++) {
    if (i > 0) {
      // From atan((i - 1) / 32).
      const ratio = dividePairs(32, 0, <f64>(1024 + i * (i - 1)), 0);
      const step = oddSeries(ratio, low, true);
      h = addPairs(h, l, step, low);
      l = low;
    }
    store<f64>(ARCS + ((<usize>i) << 4), h);
    store<f64>(ARCS + ((<usize>i) << 4), l, ENTRY_REST);
  }
}

/** The bits of 2/pi, enough for the largest double. */
function fillTurns(): void {
  store<u64>(TURNS, 0);
  store<u64>(TURNS, 0xa2f9836e4e441529, 8);
  store<u64>(TURNS, 0xfc2757d1f534ddc0, 16);
  store<u64>(TURNS, 0xdb6295993c439041, 24);
  store<u64>(TURNS, 0xfe5163abdebbc561, 32);
  store<u64>(TURNS, 0xb7246e3a424dd2e0, 40);
  store<u64>(TURNS, 0x06492eea09d1921c, 48);
  store<u64>(TURNS, 0xfe1deb1cb129a73e, 56);
  store<u64>(TURNS, 0xe88235f52ebb4484, 64);
  store<u64>(TURNS, 0xe99c7026b45f7e41, 72);
  store<u64>(TURNS, 0x3991d639835339f4, 80);
  store<u64>(TURNS, 0x9c845f8bbdf9283b, 88);
  store<u64>(TURNS, 0x1ff897ffde05980f, 96);
  store<u64>(TURNS, 0xef2f118b5a0a6d1f, 104);
  store<u64>(TURNS, 0x6d367ecf27cb09b7, 112);
  store<u64>(TURNS, 0x4f463f669e5fea2d, 120);
  store<u64>(TURNS, 0x7527bac7ebe5f17b, 128);
  store<u64>(TURNS, 0x3d0739f78a5292ea, 136);
  store<u64>(TURNS, 0x6bfb5fb11f8d5d08, 144);
  store<u64>(TURNS, 0x56033046fc7b6bab, 152);
  store<u64>(TURNS, 0xf0cfbc209af4361d, 160);
}

/** Fills the tables. Call once for a fresh memory, before any thread uses the functions of mathematics. */
export function initRealTables(): void {
  fillPowers();
  fillLogs();
  fillWaves();
  fillArcs();
  fillTurns();
}
